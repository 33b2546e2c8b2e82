// Whether each element is NaN; a complex one, whether one of its parts is.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isnan(x)
// Source: ATen isnan.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isnan_op{"isnan(Tensor self) -> Tensor", TestSameShape,
                        kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut),
                        kFormula<f::IsNan>};

}  // namespace sy
