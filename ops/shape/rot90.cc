// self turned k times by 90 degrees in the plane of two dimensions, from the first towards the
// second.
//   self: at least 2-d; dims: two   →   sizes of the two swapped for odd k
// Errors: kInvalidArgument for fewer dimensions, or dims that are not two different ones;
// kOutOfRange for a dimension out of range.
// Example: sy::rot90(x)
// Source: ATen rot90.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator rot90_op{"rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", KeyRule::kFirst,
                        kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
