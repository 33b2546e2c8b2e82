// Logarithm of the multivariate gamma function of dimension p at each element.
//   self: any sizes, real, above (p - 1) / 2; integers compute in the default dtype; p: at least 1
//   →   like self
// Errors: kInvalidArgument for p below 1 and for bool.
// Example: sy::mvlgamma(x, 2)
// Source: ATen mvlgamma.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator mvlgamma_op{"mvlgamma(Tensor self, int p) -> Tensor", KeyRule::kFirst,
                           kInPlace | kOut};

}  // namespace sy
