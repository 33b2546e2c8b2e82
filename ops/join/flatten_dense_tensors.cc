// Several tensors' elements in one row, and a row's elements as tensors of given sizes, which are
// views of it; the row may have more.
//   tensors: one or more   →   flatten_dense_tensors: 1-d, of the common dtype;
//   unflatten_dense_tensors: a list of flat's dtype, of the sizes of tensors
// Errors: kInvalidArgument for no tensors to flatten, and a row that is too short.
// Example: sy::unflatten_dense_tensors(sy::flatten_dense_tensors({a, b}), {a, b})
// Source: ATen flatten_dense_tensors, unflatten_dense_tensors.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator flatten_dense_tensors_op{"flatten_dense_tensors(Tensor[] tensors) -> Tensor",
                                        KeyRule::kFirst};
const Operator unflatten_dense_tensors_op{
    "unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", KeyRule::kFirst};

}  // namespace sy
