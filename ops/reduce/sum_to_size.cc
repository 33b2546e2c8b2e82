// Sums self to smaller sizes, the reverse of expand: dimensions that size has as 1, and those in
// front that it has not, are summed; self itself where sizes are the same.
//   self: sizes that `size` expands to   →   size
// Errors: kInvalidArgument when size does not expand to self's sizes.
// Example: sy::sum_to_size(x, {1, 4})
// Source: ATen sum_to_size.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sum_to_size_op{"sum_to_size(Tensor self, SymInt[] size) -> Tensor", KeyRule::kFirst};

}  // namespace sy
