// x1^T W x2 + b for each pair of rows: out[.., o] = sum over i, j of input1[.., i] weight[o, i, j]
// input2[.., j] + bias[o].
//   input1: [.., n], input2: [.., m], weight: [o, n, m], bias: [o] or absent, one dtype, not bool
//   →   [.., o]
// Errors: kInvalidArgument when ranks, sizes or dtypes do not fit.
// Example: sy::bilinear(x, y, t)
// Source: ATen bilinear.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bilinear_op{
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
