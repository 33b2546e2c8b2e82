// The n-th derivative of digamma at each element: digamma itself for 0; infinite at 0 and, for n
// above 0, at negative integers.
//   n: >= 0; self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kInvalidArgument for a negative n, kNotImplemented for complex numbers.
// Example: sy::polygamma(1, x)
// Source: ATen polygamma, special_polygamma.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PolygammaShape(PointwiseContext& r, int64_t n, const TensorBase& self) {
  if (n < 0) r.Fail({"n must not be negative, got ", n});
  UnaryFloatOf<kRealNumbers>(r, self);
}

}  // namespace

const Operator polygamma_op{"polygamma(int n, Tensor self) -> Tensor", PolygammaShape, kOut};
// In place self comes first: not polygamma's variant, but an operator by its own schema.
const Operator polygamma_in_place_op{"polygamma_(Tensor(a!) self, int n) -> Tensor(a!)",
                                     KeyRule::kFirst, Tags(OperatorTag::kPointwise)};
const Operator special_polygamma_op{"special_polygamma(int n, Tensor self) -> Tensor",
                                    SameKernels("polygamma", PolygammaShape), kOut};

}  // namespace sy
