// The covariance matrix of variables (rows) from observations (columns); corrcoef: divided by the
// standard deviations.
//   self: [variables, observations], or [observations] of one variable; not bool; fweights
//   (integers), aweights (floating): [observations], not negative   →   [variables, variables], []
//   of one
// Errors: kInvalidArgument for another rank, dtype or number of weights; kInvalidValue for negative
// weights or weights that add up to 0.
// Example: sy::cov(x)
// Source: ATen cov, corrcoef.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cov_op{
    "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> "
    "Tensor",
    KeyRule::kFirst};
const Operator corrcoef_op{"corrcoef(Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
