// log(x / (1 - x)) of each element x, limited to [eps, 1 - eps] before where eps is given: the
// inverse of sigmoid.
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::logit(x, 1e-6)
// Source: ATen logit, special_logit.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogitShape(PointwiseContext& r, const TensorBase& self, std::optional<double>) {
  UnaryFloatOf<kRealNumbers>(r, self);
}

}  // namespace

const Operator logit_op{"logit(Tensor self, float? eps=None) -> Tensor", LogitShape,
                        kInPlace | kOut};
const Operator special_logit_op{"special_logit(Tensor self, float? eps=None) -> Tensor",
                                SameKernels("logit", LogitShape), kOut};

}  // namespace sy
