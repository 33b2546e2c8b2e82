// Each element limited to [min_val, max_val], to max_val where that is the lower; NaN stays NaN.
// relu6 limits to [0, 6].
//   self: any sizes, real and not bool   →   like self
// Errors: kInvalidArgument for limits that do not fit the dtype, negative ones of unsigned tensors
// too; kNotImplemented for bool and complex.
// Example: sy::hardtanh(x)
// Source: ATen hardtanh, relu6.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void HardtanhShape(PointwiseContext& r, const TensorBase& self, const Scalar& min_val,
                   const Scalar& max_val) {
  const double low = min_val.To<double>(), high = max_val.To<double>();
  if (self.dtype() == DType::kUInt8 && (low < 0 || high < 0))
    r.Fail({"limits of an unsigned tensor must not be negative, got ", min_val.str(), " and ",
            max_val.str()});
  UnaryOf<kIntegerTypes | kFloatingTypes>(r, self);
  RequireFits(r, min_val, self.dtype(), "min_val");
  RequireFits(r, max_val, self.dtype(), "max_val");
}

}  // namespace

const Operator hardtanh_op{"hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                           HardtanhShape, kInPlace | kOut};
const Operator relu6_op{"relu6(Tensor self) -> Tensor", UnaryOf<kIntegerTypes | kFloatingTypes>,
                        kInPlace};

}  // namespace sy
