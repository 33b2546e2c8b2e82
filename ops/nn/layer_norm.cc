// Each run of the last dimensions, brought to mean 0 and variance 1: (x - mean) / sqrt(variance +
// eps) weight + bias. rms_norm divides by the root of the mean square + eps, and does not shift.
//   input: [.., normalized_shape], floating (rms_norm: also complex); weight, bias: of that shape
//   or absent, of input's dtype, or float32 for 16-bit floats   →   like input; native_layer_norm
//   also gives mean and 1 / sqrt(variance + eps): [.., 1, 1]
// Statistics of 16-bit floats are float32. rms_norm without eps: the machine epsilon.
// Errors: kInvalidArgument for an empty normalized_shape, one that input does not end with, or
// weight or bias of other sizes; kNotImplemented for other dtypes.
// Example: sy::layer_norm(x, {3})
// Source: ATen layer_norm, native_layer_norm, rms_norm.
#include <algorithm>

#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/channels.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RequireParameter(const ShapeContext& r, const TensorBase& input, const TensorBase& t,
                      IntSpan shape, std::string_view name) {
  if (!t.defined()) return;
  if (!SameSizes(t.sizes(), shape))
    r.Fail({name, " must have the sizes of normalized_shape ", shape, ", got ", t.sizes()});
  RequireParameterDType(r, input, t, name);
}

void RequireShapes(const ShapeContext& r, const TensorBase& input, IntSpan shape,
                   const TensorBase& weight, DTypeMask dtypes) {
  if (shape.empty()) r.Fail({"normalized_shape must have at least one size, got ", shape});
  const size_t rank = input.sizes().size();
  if (shape.size() > rank || !SameSizes(input.sizes().last(shape.size()), shape))
    r.Fail({"input must end with the sizes ", shape, ", got ", input.sizes()});
  RequireDType(r, input, dtypes, "input");
  RequireParameter(r, input, weight, shape, "weight");
}

void LayerNormShape(ShapeContext& r, const TensorBase& input, IntSpan normalized_shape,
                    const TensorBase& weight, const TensorBase& bias, double /*eps*/,
                    bool /*cudnn_enable*/) {
  RequireShapes(r, input, normalized_shape, weight, kFloatingTypes);
  RequireParameter(r, input, bias, normalized_shape, "bias");
  r.Output(input.sizes(), input.dtype());
}

void NativeLayerNormShape(ShapeContext& r, const TensorBase& input, IntSpan normalized_shape,
                          const TensorBase& weight, const TensorBase& bias, double eps) {
  LayerNormShape(r, input, normalized_shape, weight, bias, eps, true);
  int64_t* sizes = r.Ints(input.dim());
  const size_t rank = input.sizes().size(), kept = rank - normalized_shape.size();
  std::copy_n(input.sizes().data(), kept, sizes);
  std::fill(sizes + kept, sizes + rank, 1);
  const DType d = weight.defined() ? weight.dtype() : bias.defined() ? bias.dtype() : input.dtype();
  r.Output({sizes, rank}, d);
  r.Output({sizes, rank}, d);
}

void RmsNormShape(ShapeContext& r, const TensorBase& input, IntSpan normalized_shape,
                  const TensorBase& weight, Optional<double> /*eps*/) {
  RequireShapes(r, input, normalized_shape, weight, kFloatingTypes | kComplexTypes);
  r.Output(input.sizes(), input.dtype());
}

}  // namespace

const Operator layer_norm_op{
    "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor",
    LayerNormShape};
const Operator native_layer_norm_op{
    "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, "
    "float "
    "eps) -> (Tensor, Tensor, Tensor)",
    Outputs<3>(NativeLayerNormShape),
    Out("native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? "
        "bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
        "Tensor(b!), Tensor(c!))") |
        Tags(OperatorTag::kRowMajorOut)};
const Operator rms_norm_op{
    "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> "
    "Tensor",
    RmsNormShape};

}  // namespace sy
