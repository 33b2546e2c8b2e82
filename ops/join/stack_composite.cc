// stack by cat of what has one dimension more.

#include <vector>

#include "ops/join/checks_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

std::vector<Tensor> Unsqueezed(Call call, TensorList tensors, int64_t dim) {
  RequireTensors(call, tensors);
  dim = WrapDim(dim, tensors[0].dim() + 1);
  std::vector<Tensor> list;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!SameSizes(tensors[i].sizes(), tensors[0].sizes())) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"all tensors must have the same sizes, got ", tensors[0].sizes(), " for tensor 0 and ",
            tensors[i].sizes(), " for tensor ", i});
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
