// self's elements at the positions that a sparse mask holds, whatever its values are.
//   self: strided or sparse_coo; mask: sparse_coo or compressed, of self's sizes   →   the mask's
//   layout and positions, self's dtype; 0 where a sparse self holds nothing
// Errors: kInvalidArgument for sizes that differ, and a mask that is not sparse.
// Example: sy::sparse_mask(x, sy::to_sparse(x))
// Source: ATen sparse_mask.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator sparse_mask_op{"sparse_mask(Tensor self, Tensor mask) -> Tensor", KeyRule::kFirst,
                              kOut};

}  // namespace sy
