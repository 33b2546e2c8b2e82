#include "backends/cuda/kernels/index/not_zero.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

Tensor MaskedSelect(Call call, const Tensor& self, const Tensor& mask) {
  RequireMask(call, mask);
  int64_t common[kMaxRank];
  const int rank = Broadcast(self.sizes(), mask.sizes(), common, call.op());
  const IntSpan sizes(common, static_cast<size_t>(rank));
  if (NumElements(sizes) == 0) return Tensor::Empty({0}, self.dtype(), self.device());
  const NotZero elements(call, RowMajor(call, mask, sizes));
  Tensor out = Tensor::Empty({elements.picked.Count()}, self.dtype(), self.device());
  const Tensor all = RowMajor(call, self, sizes);
  CompactArgs args = elements.args;
  args.from = all.data();
  args.to = out.data();
  elements.picked.ForEach("ToList", out.itemsize(), args);
  return out;
}
const Kernel masked_select{"masked_select", "cuda", kAnyDType, MaskedSelect};

}  // namespace
}  // namespace sy::cuda
