// self to the power `exponent`, in float64 or complex128.
//   self, exponent: sizes that broadcast   →   common sizes; complex128 where one is complex, else
//   float64
// Errors: kInvalidArgument in place on tensors of other dtypes.
// Example: sy::float_power(a, b)
// Source: ATen float_power.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void FloatPowerShape(PointwiseContext& r, const TensorBase& self, const TensorBase& exponent) {
  const bool is_complex = IsComplex(self.dtype()) || IsComplex(exponent.dtype());
  const DType dtype = is_complex ? DType::kComplex128 : DType::kFloat64;
  const TensorBase* given = r.variant() == Variant::kInPlace ? &self : r.given_out(0);
  if (given != nullptr && given->dtype() != dtype)
    r.Fail({"the result is ", dtype, ", which cannot be stored as ", given->dtype()});
  const TensorBase* operands[] = {&self, &exponent};
  r.PointwiseAs(dtype, operands, dtype);
}

// The exponent is a number, which is looked at.
void FloatPowerNumberShape(PointwiseContext& r, const TensorBase& self, const Scalar& exponent) {
  FloatPowerShape(r, self, NumberTensor(exponent));
}

}  // namespace

const Operator float_power_op{"float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                              SameKernels("pow.Tensor_Tensor", FloatPowerShape),
                              InPlace("Tensor") | kOut};
const Operator float_power_number_op{
    "float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
    SameKernels("pow.Tensor_Scalar", FloatPowerNumberShape), InPlace("Scalar") | kOut};
const Operator float_power_of_number_op{
    "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
    WithNumber<0>("pow.Tensor_Tensor", FloatPowerShape), kOut};

}  // namespace sy
