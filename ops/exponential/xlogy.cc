// self log(other); 0 where self is 0, NaN where other is NaN.
//   self, other: real, sizes that broadcast, dtypes that promote; integers and bool compute in the
//   default dtype   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::xlogy(a, b)
// Source: ATen xlogy, special_xlogy.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator xlogy_op{"xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
                        BinaryFloatOf<kRealNumbers>, kInPlace | Out("OutTensor"),
                        kFormula<f::Xlogy>};
const Operator xlogy_number_op{"xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor",
                               WithNumber<1>("xlogy.Tensor", BinaryFloatOf<kRealNumbers>),
                               kInPlace | Out("OutScalar_Other")};
const Operator xlogy_of_number_op{"xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor",
                                  WithNumber<0>("xlogy.Tensor", BinaryFloatOf<kRealNumbers>),
                                  Out("OutScalar_Self")};
const Operator special_xlogy_op{"special_xlogy(Tensor self, Tensor other) -> Tensor",
                                SameKernels("xlogy.Tensor", BinaryFloatOf<kRealNumbers>), kOut};
const Operator special_xlogy_number_op{
    "special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("xlogy.Tensor", BinaryFloatOf<kRealNumbers>), kOut};
const Operator special_xlogy_of_number_op{
    "special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("xlogy.Tensor", BinaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
