// cumprod_backward by sums from the end. Before the first zero of a line, the sum of grad output
// is divided by the element; at it, what the other factors make is multiplied out, up to the
// second zero; behind it there is nothing.
// Source: ATen/native/ReduceOps.cpp.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor SumFromEnd(const Tensor& t, int64_t dim) {
  const IntSpan dims(&dim, 1);
  return flip(cumsum(flip(t, dims), dim), dims);
}

Tensor CumprodBackward(Call, const Tensor& grad, const Tensor& input, int64_t dim,
                       const Tensor& output) {
  if (input.numel() <= 1 || input.size(dim) == 1) return grad;
  const Tensor in = conj(input), out = conj(output);
  const Tensor zeros_so_far = cumsum(eq(input, 0), dim);
  const Tensor before = eq(zeros_so_far, 0), between = eq(zeros_so_far, 1);
  const Tensor divided =
      div(SumFromEnd(masked_fill(mul(out, grad), logical_not(before), 0), dim), in);
  const Tensor first = logical_and(between, eq(input, 0));
  // The factors between the first zero and each later element, and all before the first zero.
  const Tensor after = logical_and(between, logical_not(first));
  const Tensor later = sum(mul(cumprod(masked_fill(in, logical_not(after), 1), dim),
                               masked_fill(grad, logical_not(between), 0)),
                           IntSpan(&dim, 1), true);
  const Tensor earlier = prod(masked_fill(in, logical_not(before), 1), dim, true);
  return where(before, divided, where(first, mul(later, earlier), new_zeros(divided, {})));
}
const Composite cumprod_body{"cumprod_backward", CumprodBackward};

}  // namespace
}  // namespace sy
