// Each element limited to [min_val, max_val]; NaN stays NaN. relu6 limits to [0, 6].
//   self: any sizes, real and not bool   →   like self
// Errors: kInvalidArgument for min_val above max_val and for unsigned tensors with a negative
// limit, kNotImplemented for bool and complex.
// Example: sy::hardtanh(x)
// Source: ATen hardtanh, relu6.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void HardtanhRule(Rule& r, const Meta& self, const Scalar& min_val, const Scalar& max_val) {
  const double low = min_val.To<double>(), high = max_val.To<double>();
  if (low > high)
    r.Fail({"min_val must not be above max_val, got ", min_val.str(), " and ", max_val.str()});
  if (self.dtype() == DType::kUInt8 && (low < 0 || high < 0))
    r.Fail({"limits of an unsigned tensor must not be negative, got ", min_val.str(), " and ",
            max_val.str()});
  UnaryOf<kIntegerTypes | kFloatingTypes>(r, self);
}

}  // namespace

const Operator hardtanh_op{"hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                           HardtanhRule, kInPlace | kOut};
const Operator relu6_op{"relu6(Tensor self) -> Tensor", UnaryOf<kIntegerTypes | kFloatingTypes>,
                        kInPlace};

}  // namespace sy
