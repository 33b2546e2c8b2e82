// x where it is positive, else x times a number drawn from [lower, upper] for each such element, or
// their mean unless training.
//   self: any sizes, floating   →   like self
// rrelu_with_noise, in training, writes what each element is multiplied by to noise, of self's
// sizes and dtype; rrelu_with_noise_backward multiplies grad_output by it, or by the mean where
// self is negative.
// Errors: kInvalidArgument for lower above upper or an infinite one, and noise of other sizes or
// dtype; kNotImplemented for other dtypes.
// Example: sy::rrelu(x)
// Source: ATen rrelu, rrelu_with_noise, rrelu_with_noise_functional, rrelu_with_noise_backward; the
// numbers for a seed are PyTorch's.
#include <cmath>

#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RequireBounds(const ShapeContext& r, const Scalar& lower, const Scalar& upper) {
  const double from = lower.To<double>(), to = upper.To<double>();
  if (!(from <= to) || !std::isfinite(from) || !std::isfinite(to))
    r.Fail({"lower must not be above upper, both finite, got ", from, " and ", to});
}
void RreluShape(PointwiseContext& r, const TensorBase& self, const Scalar& lower,
                const Scalar& upper, bool /*training*/, Generator* /*generator*/) {
  RequireBounds(r, lower, upper);
  UnaryOf<kFloatingTypes>(r, self);
}

void WithNoiseShape(ShapeContext& r, const TensorBase& self, const TensorBase& noise,
                    const Scalar& lower, const Scalar& upper, bool /*training*/,
                    Generator* /*generator*/) {
  RequireBounds(r, lower, upper);
  RequireDType(r, self, kFloatingTypes);
  if (!SameSizes(self.sizes(), noise.sizes()))
    r.Fail({"noise must have self's sizes ", self.sizes(), ", got ", noise.sizes()});
  RequireSameDType(r, self, noise, "self", "noise");
  r.Output(self.sizes(), self.dtype()).pointwise = true;
}

}  // namespace

const Operator rrelu_op{
    "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
    "Generator? generator=None) -> Tensor",
    RreluShape, kInPlace};
const Operator rrelu_with_noise_op{
    "rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar "
    "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
    WithNoiseShape, kInPlace | kOut | Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rrelu_with_noise_functional_op{
    "rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar "
    "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor "
    "noise_out)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rrelu_with_noise_backward_op{
    "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar "
    "upper, bool training, bool self_is_result) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
