// Whether each element is infinite; a complex one, whether one of its parts is.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isinf(x)
// Source: ATen isinf.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isinf_op{"isinf(Tensor self) -> Tensor", TestSameShape,
                        kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut),
                        kFormula<f::IsInf>};

}  // namespace sy
