// self log(1 + other); 0 where self is 0, NaN where other is NaN.
//   self, other: real, sizes that broadcast, dtypes that promote; integers and bool compute in the
//   default dtype   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::special_xlog1py(a, b)
// Source: ATen special_xlog1py.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator special_xlog1py_op{"special_xlog1py(Tensor self, Tensor other) -> Tensor",
                                  BinaryFloatOf<kRealNumbers>, kOut, kFormula<f::Xlog1py>};
const Operator special_xlog1py_number_op{
    "special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("special_xlog1py", BinaryFloatOf<kRealNumbers>), kOut};
const Operator special_xlog1py_of_number_op{
    "special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor",
    WithNumber<0>("special_xlog1py", BinaryFloatOf<kRealNumbers>), kOut};

}  // namespace sy
