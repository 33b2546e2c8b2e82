// Numbers from the normal distribution: normal_ fills self with them, normal makes a new tensor.
//   self: floating or complex; std >= 0   →   self
//   mean, std: numbers, or tensors whose sizes broadcast: mean's dtype if it is a tensor, else
//   std's; size: >= 0 each, for two numbers; of normal.out self has the sizes
// Errors: kInvalidArgument for a negative std, or when the result is not floating or complex;
// kInvalidValue for a negative number in a tensor std.
// Example: sy::normal_(x, 0, 2)
// Source: ATen normal_, normal; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NormalShape(ShapeContext& r, const TensorBase& self, double /*mean*/, double std, Generator*) {
  if (!(std >= 0)) r.Fail({"std must not be negative, got ", std});
  RequireDType(r, self, kFloatingTypes | kComplexTypes | Bit(DType::kComplex32));
  r.OutputInPlace(self).pointwise = true;
}

}  // namespace

const Operator normal_op{
    "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> "
    "Tensor(a!)",
    NormalShape, kInPlaceOnly};
const Operator normal_tensor_tensor_op{
    "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator normal_tensor_float_op{
    "normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator normal_float_tensor_op{
    "normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator normal_float_float_op{
    "normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
    "Tensor"};
const Operator normal_float_float_out_op{
    "normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, "
    "Tensor(a!) out) -> Tensor(a!)"};
const Operator normal_out_op{
    "normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, "
    "Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
