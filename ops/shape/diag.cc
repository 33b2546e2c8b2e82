// diag takes the diagonal of a matrix, or makes a matrix with a vector on its diagonal; diagflat
// makes one of all elements, diag_embed one of each row, in dimensions dim1 and dim2 of the result.
// offset > 0 is above the main diagonal, < 0 below.
//   self: [m, n] or [n] (diag), any sizes (diagflat), at least 1-d (diag_embed)
// Errors: kInvalidArgument for another rank, or dim1 and dim2 being the same; kOutOfRange for a
// dimension out of range.
// Example: sy::diag_embed(x)
// Source: ATen diag, diagflat, diag_embed.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator diag_op{"diag(Tensor self, int diagonal=0) -> Tensor", KeyRule::kFirst,
                       kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator diagflat_op{"diagflat(Tensor self, int offset=0) -> Tensor", KeyRule::kFirst};
const Operator diag_embed_op{
    "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
