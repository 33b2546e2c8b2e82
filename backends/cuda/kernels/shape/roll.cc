#include "switchyard/backends/common/roll.h"

#include "backends/cuda/engine/dense.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void CopyMoved(Call call, const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  ForEachRollPart(out, self, shifts, dims, [&](const RollPart& part) {
    CopyElements(call, out.AsStrided(part.sizes, out.strides(), out.storage_offset() + part.to),
                 self.AsStrided(part.sizes, self.strides(), self.storage_offset() + part.from));
  });
}

void Roll(Call call, const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  if (out.numel() == 0) return;
  if (!dims.empty()) return CopyMoved(call, out, self, shifts, dims);
  constexpr int64_t kFirst[] = {0};
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    CopyMoved(call, Flat(to), Flat(Dense(call, self, self.dtype())), shifts, kFirst);
  });
}
const Kernel roll{"roll", "cuda", kAnyDType, Roll};

}  // namespace
}  // namespace sy::cuda
