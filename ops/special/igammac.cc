// Regularised upper incomplete gamma function of each element of self, the parameter, at `other`.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::igammac(a, x)
// Source: ATen igammac, special_gammaincc.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator igammac_op{"igammac(Tensor self, Tensor other) -> Tensor", BinaryOf<kFloatingTypes>,
                          kInPlace | kOut, kFormula<f::GammaQ>};
const Operator special_gammaincc_op{"special_gammaincc(Tensor self, Tensor other) -> Tensor",
                                    SameKernels("igammac", BinaryOf<kFloatingTypes>), kOut};

}  // namespace sy
