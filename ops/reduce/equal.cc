// Whether self and `other` have the same sizes and elements, whatever their dtypes (equal); whether
// all elements are close (allclose, see isclose).
//   self, other: dtypes that promote; of allclose: one dtype   →   a bool
// Errors: kInvalidArgument when dtypes have no common one; allclose: as isclose.
// Example: sy::equal(a, b)
// Source: ATen equal, allclose.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator equal_op{"equal(Tensor self, Tensor other) -> bool", KeyRule::kFirst,
                        Tags(OperatorTag::kDataDependentOutput)};
const Operator allclose_op{
    "allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
    "equal_nan=False) -> bool",
    KeyRule::kFirst, Tags(OperatorTag::kDataDependentOutput)};

}  // namespace sy
