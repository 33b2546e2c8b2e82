// Cuts each tensor into num_chunks pieces along dim, padded with zeros, and joins the pieces of the
// same number, flattened.
//   tensors: one or more without empty ones, same sizes in front of dim and same dtype   →   those
//   sizes, num_chunks, the elements of a piece of each
// Errors: kInvalidArgument for no or empty tensors, sizes or dtypes that differ, num_chunks below
// 1, or a negative dim for tensors of several ranks.
// Example: sy::_chunk_cat({a, b}, 0, 2)
// Source: ATen _chunk_cat.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator chunk_cat_op{"_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor",
                            KeyRule::kFirst, kOut};

}  // namespace sy
