// Remainder of each element of self divided by `other`, with the quotient rounded towards 0: it has
// the sign of self.
//   self, other: real and not bool, sizes that broadcast, dtypes that promote   →   common sizes
//   and dtype
// Errors: kInvalidValue when an integer is divided by 0; kNotImplemented for bool and complex.
// Example: sy::fmod(a, b)
// Source: ATen fmod.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fmod_op{"fmod.Tensor(Tensor self, Tensor other) -> Tensor",
                       BinaryOf<kIntegerTypes | kFloatingTypes>, kInPlace | kOut};
const Operator fmod_scalar_op{
    "fmod.Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("fmod.Tensor", BinaryOf<kIntegerTypes | kFloatingTypes>), kInPlace | kOut};

}  // namespace sy
