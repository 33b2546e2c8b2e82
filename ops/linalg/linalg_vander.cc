// Vandermonde's matrices: each number's powers, from 0 to N - 1, in a row.
//   x: [.., n], numbers but not bool; N > 1, default n   →   [.., n, N], int64 for integers
// Errors: kInvalidArgument for bool and N below 2.
// Example: sy::linalg_vander(x)
// Source: ATen linalg_vander.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_vander_op{"linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor",
                                KeyRule::kFirst};

}  // namespace sy
