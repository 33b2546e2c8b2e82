// meshgrid: coordinates of a grid, each vector seen along a dimension of its own ("ij"; "xy" swaps
// the first two). cartesian_prod: all tuples of elements, one of each vector; combinations: all
// tuples of r elements of one vector, in order.
//   tensors: at most 1-d (cartesian_prod, combinations: 1-d), same dtype   →   a list of views of
//   the grid's sizes; [tuples, length of a tuple]
// Errors: kInvalidArgument for other ranks, dtypes that differ, an unknown indexing, or a negative
// r.
// Example: sy::meshgrid({sy::arange(3), sy::arange(4)}, "ij")
// Source: ATen meshgrid, cartesian_prod, combinations.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator meshgrid_op{"meshgrid(Tensor[] tensors) -> Tensor[]", KeyRule::kFirst};
const Operator meshgrid_indexing_op{
    "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", KeyRule::kFirst};
const Operator cartesian_prod_op{"cartesian_prod(Tensor[] tensors) -> Tensor", KeyRule::kFirst,
                                 Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Operator combinations_op{
    "combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", KeyRule::kFirst};

}  // namespace sy
