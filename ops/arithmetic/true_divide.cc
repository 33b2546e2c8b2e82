// Divides self by `other`: another name of div.
//   self, other: sizes that broadcast, dtypes that promote   →   common sizes; common dtype, the
//   default floating one for integers
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::true_divide(a, b)
// Source: ATen true_divide.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator true_divide_op{"true_divide.Tensor(Tensor self, Tensor other) -> Tensor",
                              SameKernels("div.Tensor", BinaryFloatShape), kInPlace | Out("out")};
const Operator true_divide_scalar_op{"true_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                     WithNumber<1>("div.Tensor", BinaryFloatShape), kInPlace};

}  // namespace sy
