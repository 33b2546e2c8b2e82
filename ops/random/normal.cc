// Fills self with numbers from the normal distribution.
//   self: floating or complex; std >= 0   →   self
// Errors: kInvalidArgument for a negative std, or when self is not floating or complex.
// Example: sy::normal_(x, 0, 2)
// Source: ATen normal_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void NormalRule(Rule& r, const Meta& self, double /*mean*/, double std, Generator*) {
  if (!(std >= 0)) r.Fail({"std must not be negative, got ", std});
  RequireDType(r, self, kFloatingTypes | kComplexTypes | Bit(DType::kComplex32));
  r.OutputInPlace(self);
}

}  // namespace

const Operator normal_op{
    "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> "
    "Tensor(a!)",
    NormalRule, kInPlaceOnly};

}  // namespace sy
