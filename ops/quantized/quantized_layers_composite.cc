// Layers on quantised tensors. Products of integers are the device's; sums, products of elements,
// pooling and normalisation are made of operators on integers or numbers.
#include <algorithm>
#include <optional>

#include "ops/quantized/held_composite.h"
#include "switchyard/core/shape.h"

namespace sy {
namespace {

// --- Sums, products and joins, quantised as asked for.

Tensor Add(Call call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  RequireAlike(call.op(), a, b);
  return quantize_per_tensor(add(dequantize(a), dequantize(b)), scale, zero_point, a.dtype());
}
Tensor Mul(Call call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  RequireAlike(call.op(), a, b);
  return quantize_per_tensor(mul(dequantize(a), dequantize(b)), scale, zero_point, a.dtype());
}
Tensor Cat(Call call, TensorList tensors, int64_t dim, std::optional<double> scale,
           std::optional<int64_t> zero_point) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least one tensor"});
  const Quantizer& first = RequirePerTensor(call.op(), tensors[0], "qx[0]");
  std::vector<Tensor> numbers;
  numbers.reserve(tensors.size());
  for (const Tensor& t : tensors) {
    RequirePerTensor(call.op(), t, "each of qx");
    if (t.dtype() != tensors[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"expected one dtype, got ", tensors[0].dtype(), " and ", t.dtype()});
    }
    numbers.push_back(dequantize(t));
  }
  return quantize_per_tensor(cat(numbers, dim), scale.value_or(first.scale),
                             zero_point.value_or(first.zero_point), tensors[0].dtype());
}

// --- Pooling: the largest integer stands for the largest number.

Tensor MaxPool1d(Call call, const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding,
                 IntSpan dilation, bool ceil_mode) {
  const Quantizer& q = RequirePerTensor(call.op(), self, "self");
  return MakeQuantized(max_pool1d(IntegersOf(self), kernel, stride, padding, dilation, ceil_mode),
                       q);
}
Tensor MaxPool2d(Call call, const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding,
                 IntSpan dilation, bool ceil_mode) {
  const Quantizer& q = RequirePerTensor(call.op(), self, "self");
  return MakeQuantized(max_pool2d(IntegersOf(self), kernel, stride, padding, dilation, ceil_mode),
                       q);
}

Tensor BatchNorm(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                 const Tensor& mean, const Tensor& var, double eps, double scale,
                 int64_t zero_point) {
  RequirePerTensor(call.op(), input, "input");
  const Tensor out = batch_norm(dequantize(input), weight, bias, mean, var, false, 0, eps, false);
  return quantize_per_tensor(out, scale, zero_point, input.dtype());
}

// --- Products.

// The steps of channels, [channels] on a device.
Tensor StepsOn(const LayerFactors& f, const Tensor& like) {
  const Tensor host = empty({static_cast<int64_t>(f.steps.size())}, DType::kFloat32);
  std::copy(f.steps.begin(), f.steps.end(), host.data<float>());
  return to(host, like.device());
}

// In what sums of that many products of integers are exact: float32 up to 2^24, float64 up to 2^53.
DType ExactFor(int64_t terms) {
  return terms <= (1 << 24) / (255 * 128) ? DType::kFloat32 : DType::kFloat64;
}

// Sums of products (integer - zero) * weight as the numbers they stand for. along: the channels'
// dimension.
Tensor Scaled(const Tensor& products, const LayerFactors& f, const Tensor& bias, int64_t along) {
  std::vector<int64_t> sizes(static_cast<size_t>(products.dim()), 1);
  sizes[static_cast<size_t>(along)] = -1;
  const Tensor numbers = mul(to(products, DType::kFloat32), view(StepsOn(f, products), sizes));
  return bias.defined() ? add(numbers, view(bias, sizes)) : numbers;
}

// [.., n] of input [.., k] and weight [n, k], float32.
Tensor LinearNumbers(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias) {
  RequireLinear(call.op(), input, weight);
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
  const int64_t k = weight.sizes()[1];
  const DType exact = ExactFor(k);
  const Tensor centred = sub(to(IntegersOf(input), exact), f.input_zero);
  const Tensor rows = reshape(
      centred,
      {k == 0 ? NumElements(input.sizes().first(static_cast<size_t>(input.dim() - 1))) : -1, k});
  const Tensor products = mm(rows, t(to(IntegersOf(weight), exact)));
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  sizes.back() = weight.sizes()[0];
  return view(Scaled(products, f, bias, 1), sizes);
}

Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
              double scale, int64_t zero_point) {
  return quantize_per_tensor(LinearNumbers(call, input, weight, bias), scale, zero_point,
                             input.dtype());
}
Tensor LinearDynamic(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                     bool reduce_range) {
  if (input.numel() == 0) {
    RequireLinear(call.op(), input, weight);
    std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
    sizes.back() = weight.sizes()[0];
    const Tensor none = zeros(sizes, Options{.dtype = DType::kFloat32, .device = input.device()});
    return bias.defined() ? add(none, bias) : none;
  }
  const Tensor quantized = quantize_per_tensor_dynamic(input, DType::kUInt8, reduce_range);
  return LinearNumbers(call, quantized, weight, bias);
}

// Padding is of numbers 0: of integers minus their zero point.
template <int kDims>
Tensor Conv(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
            IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups, double scale,
            int64_t zero_point) {
  RequireRanks(call.op(), input, weight, kDims);
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
  const DType exact = ExactFor(weight.numel() / std::max<int64_t>(1, weight.sizes()[0]));
  const bool single = input.dim() == kDims + 1;
  const Tensor integers = single ? unsqueeze(IntegersOf(input), 0) : IntegersOf(input);
  const Tensor centred = sub(to(integers, exact), f.input_zero);
  const std::vector<int64_t> none(kDims);
  const Tensor products = convolution(centred, to(IntegersOf(weight), exact), Tensor(), stride,
                                      padding, dilation, false, none, groups);
  const Tensor numbers = Scaled(products, f, bias, 1);
  return quantize_per_tensor(single ? squeeze(numbers, 0) : numbers, scale, zero_point,
                             input.dtype());
}

#define SY_BODY(id, name, function)          \
  const Composite id##_body{name, function}; \
  const LayoutBody id##_quantized{name, kQuantized};
SY_BODY(add, "quantized_add", Add)
SY_BODY(mul, "quantized_mul", Mul)
SY_BODY(cat, "quantized_cat", Cat)
SY_BODY(max_pool1d, "quantized_max_pool1d", MaxPool1d)
SY_BODY(max_pool2d, "quantized_max_pool2d", MaxPool2d)
SY_BODY(batch_norm, "quantized_batch_norm", BatchNorm)
SY_BODY(linear, "quantized_linear", Linear)
SY_BODY(linear_dynamic, "quantized_linear_dynamic", LinearDynamic)
SY_BODY(conv1d, "quantized_conv1d", Conv<1>)
SY_BODY(conv2d, "quantized_conv2d", Conv<2>)
SY_BODY(conv3d, "quantized_conv3d", Conv<3>)
#undef SY_BODY
const LayoutKernel plain_max_pool1d{"max_pool1d", kQuantized, MaxPool1d};
const LayoutKernel plain_max_pool2d{"max_pool2d", kQuantized, MaxPool2d};

}  // namespace
}  // namespace sy
