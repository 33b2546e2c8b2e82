#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/index/not_zero.h"
#include "backends/cuda/runtime/op_names.h"

namespace sy::cuda {
namespace {

// A source that is too short is reported at the next synchronising call.
void MaskedScatter(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                   const Tensor& source) {
  if (out.data() != self.data()) CopyElements(call, out, self);
  if (out.numel() == 0) return;
  const NotZero elements(call, RowMajor(call, mask, out.sizes()));
  const Tensor list = Dense(call, source, source.dtype()), target = Dense(call, out, out.dtype());
  CompactArgs args = elements.args;
  args.from = list.data();
  args.most = list.numel();
  args.to = target.data();
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  elements.picked.ForEach("FromList", out.itemsize(), args);
  if (!target.is_same(out)) CopyElements(call, out, target);
}
const Kernel masked_scatter{"masked_scatter", "cuda", kAnyDType, MaskedScatter};

}  // namespace
}  // namespace sy::cuda
