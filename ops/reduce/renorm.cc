// Slices along `dim` whose p-norm is above maxnorm, scaled down to it.
//   self: floating or complex, 2 or more dimensions; p above 0, maxnorm 0 or above   →   sizes and
//   dtype of self, row-major
// Errors: kInvalidArgument for other dtypes, ranks or numbers; kOutOfRange for dim.
// Example: sy::renorm(a, 2, 0, 1)
// Source: ATen renorm.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator renorm_op{"renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
                         KeyRule::kFirst, kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
