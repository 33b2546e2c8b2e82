// Vandermonde's matrices: each number's powers, from 0 to N - 1, in a row; vander has them fall
// from N - 1 to 0 unless `increasing` is true.
//   x: [.., n], numbers but not bool; N > 1, default n   →   [.., n, N], int64 for integers
//   vander: x: [n]; N >= 0
// Errors: kInvalidArgument for bool and N below 2; of vander for x of another rank and N below 0.
// Example: sy::linalg_vander(x)
// Source: ATen linalg_vander, vander.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_vander_op{"linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor",
                                KeyRule::kFirst};
const Operator vander_op{"vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
                         KeyRule::kFirst};

}  // namespace sy
