// kthvalue and mode.
#include "backends/cpu/kernels/sort/select_lines.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Kthvalue(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t k,
              int64_t dim, bool) {
  SelectLines(values, indices, self, dim, false,
              OfWhole([=](auto* e, auto*, int64_t n) { BringKth(e, n, k - 1); }));
}

// The smallest of the most frequent elements, at its last place; NaN differs from itself.
void Mode(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
          bool) {
  const bool has_nan = IsFloating(self.dtype());
  const auto pick = [has_nan](auto* e, auto* scratch, int64_t n) {
    using K = decltype(e->key);
    SortEntries(e, scratch, n);
    int64_t most = 0, best = 0;
    for (int64_t i = 0, run = 0; i < n; ++i) {
      ++run;
      const bool same =
          i + 1 < n && e[i + 1].key == e[i].key && !(has_nan && e[i].key == kNaNKey<K>);
      if (same) continue;
      if (run > most) {
        most = run;
        best = i;
      }
      run = 0;
    }
    e[0] = e[best];
  };
  SelectLines(values, indices, self, dim, false, OfWhole(pick));
}

const Kernel kthvalue_kernel{"kthvalue", "cpu", kRealTypes, Kthvalue};
const Kernel mode_kernel{"mode", "cpu", kRealTypes | Bit(DType::kBool), Mode};

}  // namespace
}  // namespace sy::cpu
