// Fills self with ones, each with probability p, and zeros; bernoulli draws with the probabilities
// in self.
//   self: bernoulli_: real; bernoulli: floating, each 0 … 1. p: 0 … 1, a number or a floating
//   tensor that expands to self   → like self
// Errors: kInvalidArgument for p out of range as a number, or dtypes that do not fit; kInvalidValue
// for one in a tensor.
// Example: sy::bernoulli_(x, 0.3)
// Source: ATen bernoulli; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kTypes = kIntegerTypes | kFloatingTypes | Bit(DType::kBool);

void NumberShape(ShapeContext& r, const TensorBase& self, double p, Generator*) {
  if (!(p >= 0 && p <= 1)) r.Fail({"p must be 0 to 1, got ", p});
  RequireDType(r, self, kTypes);
  r.OutputInPlace(self).pointwise = true;
}

void TensorShape(ShapeContext& r, const TensorBase& self, const TensorBase& p, Generator*) {
  RequireDType(r, self, kTypes);
  RequireDType(r, p, kFloatingTypes, "p");
  if (!IsExpandable(p.sizes(), self.sizes())) {
    r.Fail({"p of sizes ", p.sizes(), " does not expand to self's ", self.sizes()});
  }
  r.OutputInPlace(self).pointwise = true;
}

}  // namespace

const Operator bernoulli_op{"bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
                            KeyRule::kFirst, kOut};
const Operator bernoulli_p_op{
    "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", KeyRule::kFirst};
const Operator bernoulli_float_op{
    "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
    NumberShape, kInPlaceOnly};
const Operator bernoulli_tensor_op{
    "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)",
    TensorShape, kInPlaceOnly};
const Operator bernoulli_of_tensor_op{
    "bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator bernoulli_float_out_op{
    "bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) "
    "out) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
