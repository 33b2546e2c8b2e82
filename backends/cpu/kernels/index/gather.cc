#include "backends/cpu/kernels/index/element_loops.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/positions.h"

namespace sy::cpu {
namespace {

// r by value: elements may be integers of its size.
template <class U, class I>
void GatherRun(Run r, U* out, const U* self, const I* index) {
  out += r.beside;
  self += r.moved;
  index += r.index;
  if (r.index_stride == 0 && r.moved_stride == 1 && r.beside_stride == 1) {  // expanded: a row
    std::memcpy(out, self + index[0] * r.dim_stride, static_cast<size_t>(r.size) * sizeof(U));
  } else if (r.index_stride == 1 && r.beside_stride == 1 && r.moved_stride == 0 &&
             r.dim_stride == 1) {
    for (int64_t j = 0; j < r.size; ++j) out[j] = self[index[j]];
  } else if (r.index_stride == 1 && r.beside_stride == 1 && r.moved_stride == 1) {
    for (int64_t j = 0; j < r.size; ++j) out[j] = self[j + index[j] * r.dim_stride];
  } else {
    for (int64_t j = 0; j < r.size; ++j) {
      out[j * r.beside_stride] =
          self[j * r.moved_stride + index[j * r.index_stride] * r.dim_stride];
    }
  }
}

void Gather(Call call, const Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
            bool /*sparse_grad*/) {
  if (out.numel() == 0) return;
  RequirePositions(call, index, dim, self.dim() == 0 ? 1 : self.sizes()[dim]);
  VisitItem(self.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(out.data());
    const U* from = static_cast<const U*>(self.data());
    VisitDType<Mask(DType::kInt64, DType::kInt32)>(index.dtype(), [&](auto tag) {
      const auto* positions = index.data<typename decltype(tag)::type>();
      ForEachRun(index, dim, self, out, /*keep_order=*/false,
                 [=](const Run& run) { GatherRun(run, to, from, positions); });
    });
  });
}

const Kernel kernel{"gather", "cpu", kAnyDType, Gather};

}  // namespace
}  // namespace sy::cpu
