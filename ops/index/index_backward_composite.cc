// Gradients of what picks elements, by the operators that put them.
// Source: ATen/native/TensorAdvancedIndexing.cpp, ReduceOpsUtils.h, FunctionsManual.cpp.

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor IndexSelectBackward(Call, const Tensor& grad, IntSpan sizes, int64_t dim,
                           const Tensor& index) {
  return index_add_(new_zeros(grad, sizes), dim, index, grad);
}
Tensor GatherBackward(Call call, const Tensor& grad, const Tensor& self, int64_t dim,
                      const Tensor& index, bool sparse_grad) {
  if (sparse_grad) Fail(ErrorCode::kInvalidArgument, call.op(), {"sparse_grad is not supported"});
  return scatter_add_(new_zeros(grad, self.sizes()), dim, index, grad);
}
Tensor ReductionBackward(Call, const Tensor& grad, int64_t dim, const Tensor& indices,
                         IntSpan sizes, bool keepdim) {
  const Tensor zero = new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return scatter_(zero, dim, indices, grad);
  return scatter_(zero, dim, unsqueeze(indices, dim), unsqueeze(grad, dim));
}
// Of the dtype of input, and lies as it does.
Tensor MaskedSelectBackward(Call call, const Tensor& grad, const Tensor& input,
                            const Tensor& mask) {
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(input.sizes(), mask.sizes(), sizes, call.op());
  const Tensor all = expand(input, IntSpan(sizes, static_cast<size_t>(rank)));
  return masked_scatter_(zeros_like(all), mask, grad);
}
void MaskedScatterBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& mask,
                           IntSpan) {
  const Tensor picked = masked_select(grad, mask);
  const int64_t n = picked.numel();
  if (n > out.numel()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"mask has ", n, " true elements, more than sizes ", out.sizes(), " have room for"});
  }
  const Tensor flat = view(out, {out.numel()});
  copy_(narrow(flat, 0, 0, n), picked);
  zero_(narrow(flat, 0, n, out.numel() - n));
}
const Composite index_select_body{"index_select_backward", IndexSelectBackward};
const Composite gather_body{"gather_backward", GatherBackward};
const Composite reduction_body{"value_selecting_reduction_backward", ReductionBackward};
const Composite masked_select_body{"masked_select_backward", MaskedSelectBackward};
const Composite masked_scatter_body{"masked_scatter_backward", MaskedScatterBackward};

}  // namespace
}  // namespace sy
