// Distance along the last dimension, ||x1 - x2 + eps||_p, and the cosine of the angle along `dim`,
// where norms count as at least eps.
//   x1, x2: sizes that broadcast   →   the common sizes without that dimension (1 with keepdim)
// Errors: kInvalidArgument for sizes that do not broadcast; cosine_similarity: dtypes without a
// common floating one.
// Example: sy::pairwise_distance(x, y)
// Source: ATen pairwise_distance, cosine_similarity.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator pairwise_distance_op{
    "pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool "
    "keepdim=False) -> Tensor"};
const Operator cosine_similarity_op{
    "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor"};

}  // namespace sy
