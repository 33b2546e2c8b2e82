// Numbers drawn evenly from [from, to); uniform_ fills self with them.
//   self: floating or complex; from <= to   →   like self
// Errors: kInvalidArgument when from is above to, either is beyond the dtype's range, or self is
// not floating or complex.
// Example: sy::uniform_(x, -1, 1)
// Source: ATen uniform_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void UniformShape(ShapeContext& r, const TensorBase& self, double from, double to, Generator*) {
  RequireDType(r, self, kFloatingTypes | kComplexTypes | Bit(DType::kComplex32));
  r.OutputLike(self).pointwise = true;
  const DType real = RealType(self.dtype());
  if (IsComplex(self.dtype()) && self.numel() == 0) return;  // ATen does not look
  if (!(from <= to)) r.Fail({"from must not be above to, got ", from, " and ", to});
  if (!Scalar(from).Fits(real) || !Scalar(to).Fits(real)) {
    r.Fail({"from and to must be in the range of ", real, ", got ", from, " and ", to});
  }
  if (!Scalar(to - from).Fits(real)) {
    r.Fail({"to - from must be in the range of ", real, ", got ", to - from});
  }
}

}  // namespace

const Operator uniform_op{
    "uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor",
    UniformShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
