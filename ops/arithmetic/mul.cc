// Multiplies self by `other`.
//   self, other: sizes that broadcast, dtypes that promote   →   common sizes and dtype
// For bool it is logical and.
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::mul(a, b)
// Source: ATen mul, multiply.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator mul_op{"mul.Tensor(Tensor self, Tensor other) -> Tensor", BinaryShape,
                      kInPlace | Out("out"), kFormula<f::Mul>};
const Operator mul_scalar_op{
    "mul.Scalar(Tensor self, Scalar other) -> Tensor", WithNumber<1>("mul.Tensor", BinaryShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator multiply_op{"multiply.Tensor(Tensor self, Tensor other) -> Tensor",
                           SameKernels("mul.Tensor", BinaryShape), kInPlace | Out("out")};
const Operator multiply_scalar_op{"multiply.Scalar(Tensor self, Scalar other) -> Tensor",
                                  WithNumber<1>("mul.Tensor", BinaryShape), kInPlace};

}  // namespace sy
