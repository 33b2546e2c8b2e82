// Each row while it is in the cache; where dim is not the last, columns side by side.
#include <algorithm>

#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;    // elements worth a thread
constexpr int64_t kColumnBytes = 512;  // columns that a thread takes at a time

void Run(const Tensor& out, const Tensor& self, int64_t dim, bool log) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const RowLoops& rows = RowsOf(d);
  const Tensor in = Dense(self, d);
  int64_t n = 1, inner = 1;
  if (self.dim() > 0) n = self.sizes()[dim];
  for (int64_t i = dim + 1; i < self.dim(); ++i) inner *= self.sizes()[i];
  const int64_t outer = self.numel() / (n * inner), item = static_cast<int64_t>(ItemSize(d));
  IntoDense(out, d, [&](const Tensor& to) {
    char* o = static_cast<char*>(to.data());
    const char* x = static_cast<const char*>(in.data());
    const int64_t grain = std::max<int64_t>(1, kGrain / n);
    if (inner == 1) {
      const auto run = log ? rows.log_softmax : rows.softmax;
      ParallelFor(outer, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          run(o + i * n * item, x + i * n * item, static_cast<size_t>(n));
      });
      return;
    }
    const int64_t width = std::min(inner, kColumnBytes / item);
    const int64_t blocks = (inner + width - 1) / width;
    ParallelFor(
        outer * blocks, std::max<int64_t>(1, grain / width), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t first = i % blocks * width;
            const int64_t at = (i / blocks * n * inner + first) * item;
            rows.softmax_columns(o + at, x + at, static_cast<size_t>(n), static_cast<size_t>(inner),
                                 static_cast<size_t>(std::min(width, inner - first)), log);
          }
        });
  });
}

template <bool kLog>
void SoftmaxInt(Call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  Run(out, self, dim, kLog);
}
template <bool kLog>
void Softmax(Call, const Tensor& out, const Tensor& self, int64_t dim, bool) {
  Run(out, self, dim, kLog);
}

const Kernel softmax{"softmax.int", "cpu", kFloatingTypes, SoftmaxInt<false>};
const Kernel log_softmax{"log_softmax.int", "cpu", kFloatingTypes, SoftmaxInt<true>};
const Kernel plain_softmax{"_softmax", "cpu", kFloatingTypes, Softmax<false>};
const Kernel plain_log_softmax{"_log_softmax", "cpu", kFloatingTypes, Softmax<true>};

}  // namespace
}  // namespace sy::cpu
