// Each element as mantissa * 2^exponent, with a mantissa from 0.5 to 1.
//   self: any sizes, floating   →   mantissa: like self; exponent: int32, sizes of self
// Errors: kNotImplemented for anything but floating tensors.
// Example: auto [mantissa, exponent] = sy::frexp(x)
// Source: ATen frexp.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void FrexpRule(Rule& r, const Meta& self) {
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self);
  r.OutputLike(self, DType::kInt32);
}

}  // namespace

const Operator frexp_op{"frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
                        Outputs<2>(FrexpRule),
                        Out("frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) "
                            "exponent) -> (Tensor(a!) mantissa, Tensor(b!) exponent)")};

}  // namespace sy
