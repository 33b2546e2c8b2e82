// The Kronecker product: other, times each element of self in its place.
//   self, other: any sizes, the shorter one with ones in front   →   products of sizes, common
//   dtype
// Example: sy::kron(a, b)
// Source: ATen kron.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator kron_op{"kron(Tensor self, Tensor other) -> Tensor", KeyRule::kPromote,
                       kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
