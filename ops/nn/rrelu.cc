// x where it is positive, else x times a number drawn from [lower, upper] for each such element, or
// their mean unless training.
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for lower above upper or an infinite one, kNotImplemented for other
// dtypes.
// Example: sy::rrelu(x)
// Source: ATen rrelu; the numbers for a seed are PyTorch's.
#include <cmath>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RreluShape(PointwiseContext& r, const TensorBase& self, const Scalar& lower,
                const Scalar& upper, bool /*training*/, Generator* /*generator*/) {
  const double from = lower.To<double>(), to = upper.To<double>();
  if (!(from <= to) || !std::isfinite(from) || !std::isfinite(to))
    r.Fail({"lower must not be above upper, both finite, got ", from, " and ", to});
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator rrelu_op{
    "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
    "Generator? generator=None) -> Tensor",
    RreluShape, kInPlace};

}  // namespace sy
