// The magnitude of each element of self with the sign of `other`.
//   self, other: real, sizes that broadcast, dtypes that promote; integers and bool compute in the
//   default dtype   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::copysign(a, b)
// Source: ATen copysign.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator copysign_op{"copysign.Tensor(Tensor self, Tensor other) -> Tensor",
                           BinaryFloatOf<kRealNumbers>, kInPlace | Out("out"),
                           kFormula<f::Copysign>};
const Operator copysign_scalar_op{"copysign.Scalar(Tensor self, Scalar other) -> Tensor",
                                  WithNumber<1>("copysign.Tensor", BinaryFloatOf<kRealNumbers>),
                                  kInPlace | kOut};

}  // namespace sy
