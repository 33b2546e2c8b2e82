// Raises self to the power `exponent`.
//   self, exponent: sizes that broadcast, dtypes that promote, not both bool   →   common sizes and
//   dtype; a number's powers are row-major
// Integers wrap around; an integer to a negative power is 0, or 1 or -1 where the base is.
// Errors: kInvalidArgument for a negative integer number as exponent of an integer tensor;
// kNotImplemented for bool to the power bool.
// Example: sy::pow(x, 2)
// Source: ATen pow.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PowShape(PointwiseContext& r, const TensorBase& self, const TensorBase& exponent) {
  r.Pointwise(self, exponent);
  if (r.compute_dtype() == DType::kBool)
    r.Fail(ErrorCode::kNotImplemented, {"bool to the power bool is not defined"});
}

// The exponent is a number, which is looked at.
void PowNumberShape(PointwiseContext& r, const TensorBase& self, const Scalar& exponent) {
  if (IsIntegral(self.dtype(), true) && exponent.is_integral(true) &&
      exponent.kind() != Scalar::kUInt && exponent.To<int64_t>() < 0) {
    r.Fail({"integers to negative integer powers are not allowed; got ", self.dtype(),
            " to the power ", exponent.str()});
  }
  const Tensor number = NumberTensor(exponent);
  PowShape(r, self, number);
  // Powers of float32 are computed with the exponent in double.
  if (r.compute_dtype() != DType::kFloat32)
    RequireStorable(r, exponent, r.compute_dtype(), "exponent");
}

// Of a number's powers ATen says no strides.
void PowOfNumberShape(PointwiseContext& r, const TensorBase& self, const TensorBase& exponent) {
  PowShape(r, self, exponent);
  r.output(0).strides = nullptr;
}

}  // namespace

const Operator pow_op{"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", PowShape,
                      InPlace("Tensor") | kOut, kFormula<f::Pow>};
const Operator pow_number_op{"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                             PowNumberShape, InPlace("Scalar") | kOut};
const Operator pow_of_number_op{"pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                                WithNumber<0>("pow.Tensor_Tensor", PowOfNumberShape), kOut};

}  // namespace sy
