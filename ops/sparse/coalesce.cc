// The same elements, each position once, sorted in the order of rows: values of equal positions are
// added (bool: any of them). _coalesced_ says of a tensor that it is, or is not, without a look.
//   self: sparse_coo   →   sparse_coo; self where it is coalesced already
// Errors: kInvalidArgument for another layout, and sizes whose product exceeds 64 bits.
// Example: sy::coalesce(sy::to_sparse(x))
// Source: ATen coalesce, _coalesce, _coalesced_.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator coalesce_op{"coalesce(Tensor(a) self) -> Tensor(a)", KeyRule::kFirst};
const Operator coalesce_always_op{"_coalesce(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator coalesced_op{"_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)",
                            KeyRule::kFirst};

}  // namespace sy
