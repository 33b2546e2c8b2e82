// Einstein's sum: products of elements whose positions agree in the letters that operands share,
// summed over the letters that the output has not.
//   equation: a letter for each dimension of each operand, "ij,jk->ik", "..." for the rest, which
//   broadcast; a letter twice in an operand is its diagonal. Without "->" the output has "..." and,
//   in order, the letters that come once
//   tensors: one or more; sizes of a letter are equal or 1; path: pairs of positions in the list of
//   operands, contracted in this order, each result going to the end; none: from left to right
//   →   a size for each letter of the output
// Errors: kInvalidArgument for an equation that cannot be read, operands that do not fit it, or a
// path that is not of pairs of different operands.
// Example: sy::einsum("ij,jk->ik", {sy::ones({2, 3}), sy::ones({3, 4})})
// Source: ATen einsum.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator einsum_op{"einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor"};

}  // namespace sy
