// Regularised upper incomplete gamma function of each element of self, the parameter, at `other`.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::igammac(a, x)
// Source: ATen igammac.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator igammac_op{"igammac(Tensor self, Tensor other) -> Tensor", BinaryOf<kFloatingTypes>,
                          kInPlace | kOut};

}  // namespace sy
