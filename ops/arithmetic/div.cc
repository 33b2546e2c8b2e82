// Divides self by `other`; with a rounding mode, the quotient is rounded.
//   self, other: sizes that broadcast, dtypes that promote   →   common sizes; common dtype, the
//   default floating one for integers without rounding
//   rounding_mode: None, "trunc" (towards zero) or "floor" (down); both keep integers
// Errors: kInvalidArgument for another mode or sizes that do not broadcast; kInvalidValue when an
// integer is divided by 0 with a rounding mode.
// Example: sy::div(a, b, "floor")
// Source: ATen div, divide.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void DivModeShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other,
                  std::optional<std::string_view> rounding_mode) {
  if (!rounding_mode) return BinaryFloatShape(r, self, other);
  if (*rounding_mode != "trunc" && *rounding_mode != "floor") {
    r.Fail({"rounding_mode must be None, 'trunc' or 'floor', got '", *rounding_mode, "'"});
  }
  BinaryShape(r, self, other);
}

}  // namespace

const Operator div_op{"div.Tensor(Tensor self, Tensor other) -> Tensor", BinaryFloatShape,
                      kInPlace | Out("out"), kFormula<f::Div>};
const Operator div_mode_op{
    "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", DivModeShape,
    kInPlace | Out("out_mode")};
const Operator div_scalar_op{
    "div.Scalar(Tensor self, Scalar other) -> Tensor",
    WithNumber<1>("div.Tensor", BinaryFloatShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator div_scalar_mode_op{
    "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    WithNumber<1>("div.Tensor_mode", DivModeShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator divide_op{"divide.Tensor(Tensor self, Tensor other) -> Tensor",
                         SameKernels("div.Tensor", BinaryFloatShape), kInPlace | Out("out")};
const Operator divide_mode_op{
    "divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
    SameKernels("div.Tensor_mode", DivModeShape), kInPlace | Out("out_mode")};
const Operator divide_scalar_op{"divide.Scalar(Tensor self, Scalar other) -> Tensor",
                                WithNumber<1>("div.Tensor", BinaryFloatShape), kInPlace};
const Operator divide_scalar_mode_op{
    "divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    WithNumber<1>("div.Tensor_mode", DivModeShape), kInPlace};

}  // namespace sy
