// linear by matmul or addmm.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  if (input.dim() == 0 || weight.dim() == 0 || weight.dim() > 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"input must be at least 1-d and weight 1-d or 2-d, got sizes ", input.sizes(), " and ",
          weight.sizes()});
  }
  const Tensor turned = weight.dim() == 2 ? transpose(weight, 0, 1) : weight;
  if (!bias.defined()) return matmul(input, turned);
  if (input.dim() == 2 && weight.dim() == 2) return addmm(bias, input, turned);
  // Rows of all batches as one matrix, where that takes no copy and the bias is one for each row.
  if (input.dim() > 2 && weight.dim() == 2 && bias.dim() == 1 && input.is_contiguous() &&
      input.numel() != 0) {
    std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
    sizes.back() = weight.size(0);
    return view(addmm(bias, view(input, {-1, input.size(-1)}), turned), sizes);
  }
  return add_(matmul(input, turned), bias);
}
const Composite linear_body{"linear", Linear};

}  // namespace
}  // namespace sy
