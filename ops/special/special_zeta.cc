// Hurwitz's zeta function: the sum of (other + k)^-self over all k >= 0.
//   self, other: real, sizes that broadcast; integers and bool compute in the default dtype   →
//   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::special_zeta(x, 1.0)
// Source: ATen special_zeta.
#include "switchyard/ops/formulas/zeta.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator zeta_op{"special_zeta(Tensor self, Tensor other) -> Tensor",
                       BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::Zeta>};
const Operator zeta_other_scalar_op{
    "special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("special_zeta", BinaryFloatOf<kRealNumbers>), kOut};
const Operator zeta_self_scalar_op{"special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor",
                                   WithNumber<0>("special_zeta", BinaryFloatOf<kRealNumbers>),
                                   kOut};

}  // namespace sy
