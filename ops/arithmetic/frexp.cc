// Each element as mantissa * 2^exponent, with a mantissa from 0.5 to 1.
//   self: any sizes, floating   →   mantissa: like self; exponent: int32, sizes of self
// Errors: kNotImplemented for anything but floating tensors.
// Example: auto [mantissa, exponent] = sy::frexp(x)
// Source: ATen frexp.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void FrexpShape(PointwiseContext& r, const TensorBase& self) {
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self);
  r.OutputLike(self, DType::kInt32);
}

}  // namespace

const Operator frexp_op{"frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
                        Outputs<2>(FrexpShape),
                        Out("frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) "
                            "exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent)")};

}  // namespace sy
