// Shapes by other operators: reshape, narrow by a tensor, stack.

#include "switchyard/core/shape.h"

#include <array>

#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

Tensor Reshape(Call call, const Tensor& self, IntSpan shape) {
  std::array<int64_t, kMaxRank> sizes, strides;
  if (shape.size() > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): at most ", kMaxRank, " dimensions, got ", shape.size()});
  }
  InferSize(shape, self.numel(), sizes.data(), call.op());
  const IntSpan wanted(sizes.data(), shape.size());
  const bool viewable =
      ViewStrides(self.sizes(), self.strides(), self.numel(), wanted, strides.data());
  return view(viewable ? self : clone(self, MemoryFormat::kContiguous), wanted);
}
const Composite reshape_body{"reshape", Reshape};

Tensor NarrowTensor(Call call, const Tensor& self, int64_t dim, const Tensor& start,
                    int64_t length) {
  if (start.dim() != 0 || !IsIntegral(start.dtype(), false)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): start must be a 0-d integer tensor, got ", Describe(start)});
  }
  return narrow(self, dim, item(start).To<int64_t>(), length);
}
const Composite narrow_tensor_body{"narrow.Tensor", NarrowTensor};

std::vector<Tensor> Unsqueezed(Call call, TensorList tensors, int64_t dim) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): expected at least one tensor"});
  dim = WrapDim(dim, tensors[0].dim() + 1);
  std::vector<Tensor> list;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!SameSizes(tensors[i].sizes(), tensors[0].sizes())) {
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): all tensors must have the same sizes, got ", tensors[0].sizes(),
            " for tensor 0 and ", tensors[i].sizes(), " for tensor ", i});
    }
    list.push_back(unsqueeze(tensors[i], dim));
  }
  return list;
}
Tensor Stack(Call call, TensorList tensors, int64_t dim) {
  const std::vector<Tensor> list = Unsqueezed(call, tensors, dim);
  return cat(list, WrapDim(dim, list[0].dim()));
}
void StackOut(Call call, TensorList tensors, int64_t dim, const Tensor& out) {
  const std::vector<Tensor> list = Unsqueezed(call, tensors, dim);
  cat_out(out, list, WrapDim(dim, list[0].dim()));
}
const Composite stack_body{"stack", Stack};
const Composite stack_out_body{"stack.out", StackOut};

}  // namespace
}  // namespace sy
