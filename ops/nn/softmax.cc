// Exponentials along `dim` over their sum: softmax; log_softmax is its logarithm. _safe_softmax
// gives zeros where all of a row is -inf.
//   self: any sizes; floating, or `dtype` is, to which it is converted first   →   self's sizes
// Errors: kOutOfRange for a dimension out of range, kNotImplemented for a dtype that is not
// floating (of tensors with elements).
// Example: sy::softmax(x, -1)
// Source: ATen softmax, log_softmax, _softmax, _log_softmax, _safe_softmax, special_softmax,
// special_log_softmax.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SoftmaxShape(ShapeContext& r, const TensorBase& self, int64_t& dim, Optional<DType> dtype) {
  dim = r.WrapDim(dim, self);
  const DType d = dtype.value_or(self.dtype());
  r.Output(self.sizes(), d);
  if (self.numel() == 0) return r.ComputeNothing();
  if (!Contains(kFloatingTypes, d)) {
    r.Fail(ErrorCode::kNotImplemented,
           {"expected floating elements or a floating dtype to convert them to, got ", d});
  }
}

void PlainSoftmaxShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool half_to_float) {
  if (half_to_float && self.is_host())
    r.Fail({"half_to_float is not for cpu; expected false, got true"});
  SoftmaxShape(r, self, dim, half_to_float ? Optional<DType>(DType::kFloat32) : std::nullopt);
}

}  // namespace

const Operator softmax_op{"softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                          SoftmaxShape, Out("int_out")};
const Operator log_softmax_op{
    "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", SoftmaxShape,
    Out("int_out")};
const Operator plain_softmax_op{"_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
                                PlainSoftmaxShape, kOut};
const Operator plain_log_softmax_op{
    "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", PlainSoftmaxShape, kOut};
const Operator safe_softmax_op{
    "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", KeyRule::kFirst};
const Operator special_softmax_op{
    "special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    SameKernels("softmax.int", SoftmaxShape)};
const Operator special_log_softmax_op{
    "special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    SameKernels("log_softmax.int", SoftmaxShape)};

}  // namespace sy
