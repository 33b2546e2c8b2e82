// Gradients of distances: sums over pairs of grad times the derivative of the distance by the
// difference, which is 0 where the distance is.
// Source: ATen/native/cpu/DistanceOpsKernel.cpp.

#include <cmath>
#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// difference: [.., m, n, d]; grad and distance: [.., m, n, 1].
Tensor Passed(const Tensor& difference, const Tensor& grad, const Tensor& distance, double p) {
  if (p == 1) return mul(sign(difference), grad);
  if (::std::isinf(p))
    return mul(masked_fill(sign(difference), ne(abs(difference), distance), 0), grad);
  const Tensor nothing = eq(distance, 0);
  if (p == 2) return masked_fill(mul(difference, div(grad, distance)), nothing, 0);
  const Tensor powers = mul(sign(difference), pow(abs(difference), Scalar(p - 1)));
  const Tensor passed =
      masked_fill(mul(powers, div(grad, pow(distance, Scalar(p - 1)))), nothing, 0);
  return p < 1 ? masked_fill(passed, eq(difference, 0), 0) : passed;
}

void CdistBackward(Call, const Tensor& out, const Tensor& grad, const Tensor& x1, const Tensor& x2,
                   double p, const Tensor& distance) {
  if (p == 0 || grad.numel() == 0 || out.numel() == 0) {
    zero_(out);
    return;
  }
  const int64_t pairs = -2;
  const Tensor difference = sub(unsqueeze(x1, -2), unsqueeze(x2, -3));
  copy_(out, sum(Passed(difference, unsqueeze(grad, -1), unsqueeze(distance, -1), p),
                 IntSpan(&pairs, 1)));
}

// Each pair's number on both sides of the diagonal of a matrix.
Tensor OfAllPairs(const Tensor& of_pairs, const Tensor& at, int64_t n) {
  const Tensor upper = view(scatter(new_zeros(of_pairs, {n * n}), 0, at, of_pairs), {n, n});
  return add(upper, t(upper));
}
void PdistBackward(Call, const Tensor& out, const Tensor& grad, const Tensor& self, double p,
                   const Tensor& distance) {
  const int64_t n = self.size(0);
  const Tensor pairs = triu_indices(n, n, 1, DType::kInt64, ::std::nullopt, self.device());
  const Tensor at = add(mul(select(pairs, 0, 0), n), select(pairs, 0, 1));
  copy_(out, _cdist_backward(OfAllPairs(grad, at, n), self, self, p, OfAllPairs(distance, at, n)));
}

const Composite cdist_body{"_cdist_backward", CdistBackward};
const Composite pdist_body{"_pdist_backward", PdistBackward};

}  // namespace
}  // namespace sy
