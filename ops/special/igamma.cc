// Regularised lower incomplete gamma function of each element of self, the parameter, at `other`.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::igamma(a, x)
// Source: ATen igamma, special_gammainc.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator igamma_op{"igamma(Tensor self, Tensor other) -> Tensor", BinaryOf<kFloatingTypes>,
                         kInPlace | kOut, kFormula<f::GammaP>};
const Operator special_gammainc_op{"special_gammainc(Tensor self, Tensor other) -> Tensor",
                                   SameKernels("igamma", BinaryOf<kFloatingTypes>), kOut};

}  // namespace sy
