// Logarithm of the multivariate gamma function of dimension p at each element.
//   self: any sizes, real, above (p - 1) / 2; integers compute in the default dtype; p: 1 … 2^24,
//   since float32 tells numbers above 2^23 no halves apart   →   sizes of self, row-major
// Errors: kInvalidArgument for other p and for bool.
// Example: sy::mvlgamma(x, 2)
// Source: ATen mvlgamma, special_multigammaln.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator mvlgamma_op{
    "mvlgamma(Tensor self, int p) -> Tensor", KeyRule::kFirst,
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut) | Tags(OperatorTag::kPointwise)};
const Operator special_multigammaln_op{"special_multigammaln(Tensor self, int p) -> Tensor",
                                       KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
