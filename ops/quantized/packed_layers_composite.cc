// Layers by packed weights: those of quantized_layers.cc, of what a weight remembers.
#include <array>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ops/quantized/held_composite.h"
#include "switchyard/core/attachment.h"
#include "switchyard/ops/quantized/prepared_weight.h"

namespace sy {
namespace {

constexpr std::array<std::string_view, 4> kPackers = {
    "quantized::linear_prepack", "quantized::conv1d_prepack", "quantized::conv2d_prepack",
    "quantized::conv3d_prepack"};

// What a packed weight remembers. dims: of a convolution; of linear 0.
struct PackedLayer : Attachment {
  static constexpr AttachmentKind kKind{"packed layer"};
  explicit PackedLayer(int d) : dims(d) {}
  int dims;
  Tensor bias;
  std::vector<int64_t> stride, padding, dilation;
  int64_t groups = 1;
};

const PackedLayer& RequirePacked(Call call, const Tensor& weight, int dims) {
  const PackedLayer* p = Attached<PackedLayer>(weight);
  if (p != nullptr && p->dims == dims) return *p;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected a packed weight of ", kPackers[static_cast<size_t>(dims)], ", got ",
        Describe(weight), p == nullptr ? "" : " of ",
        p == nullptr ? "" : kPackers[static_cast<size_t>(p->dims)]});
}

Tensor Pack(Call call, const Tensor& weight, const Tensor& bias,
            std::unique_ptr<PackedLayer> layer) {
  const Quantizer& q = RequireQuantized(call.op(), weight, "weight");
  if (weight.dtype() != DType::kInt8 || weight.dim() != layer->dims + 2 ||
      (q.per_channel() && q.axis != 0)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weight must be quantized int8 of ", layer->dims + 2,
          " dimensions, with one scale for all or along axis 0, got ", Describe(weight)});
  }
  const int64_t channels = weight.sizes()[0];
  if (bias.defined() &&
      (bias.dtype() != DType::kFloat32 || bias.dim() != 1 || bias.numel() != channels)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"bias must be float32[", channels, "], got ", Describe(bias)});
  }
  layer->bias = bias;
  // Convolutions read the channels of a position side by side.
  const MemoryFormat format = layer->dims == 2   ? MemoryFormat::kChannelsLast
                              : layer->dims == 3 ? MemoryFormat::kChannelsLast3d
                                                 : MemoryFormat::kContiguous;
  const Tensor packed = MakeQuantized(clone(IntegersOf(weight), format), q);
  // Constant, as devices may keep what they make of it.
  if (layer->dims == 0) Attach(packed, std::make_unique<PreparedWeight>());
  Attach(packed, std::move(layer));
  return freeze(packed);
}

// A weight without what it remembers, in memory of its own: the packed one is constant.
Tensor WeightOf(const Tensor& packed) {
  return MakeQuantized(clone(IntegersOf(packed)), *FindQuantizer(packed));
}
template <int kDims>
std::tuple<Tensor, Tensor> Unpack(Call call, const Tensor& packed) {
  const PackedLayer& p = RequirePacked(call, packed, kDims);
  return {WeightOf(packed), p.bias};
}

// --- Linear.

Tensor PackLinear(Call call, const Tensor& weight, const Tensor& bias) {
  return Pack(call, weight, bias, std::make_unique<PackedLayer>(0));
}
Tensor Linear(Call call, const Tensor& x, const Tensor& packed, double scale, int64_t zero_point) {
  return quantized_linear(x, packed, RequirePacked(call, packed, 0).bias, scale, zero_point);
}
Tensor LinearRelu(Call call, const Tensor& x, const Tensor& packed, double scale,
                  int64_t zero_point) {
  return relu(Linear(call, x, packed, scale, zero_point));
}
Tensor LinearDynamic(Call call, const Tensor& x, const Tensor& packed, bool reduce_range) {
  return quantized_linear_dynamic(x, packed, RequirePacked(call, packed, 0).bias, reduce_range);
}
Tensor LinearReluDynamic(Call call, const Tensor& x, const Tensor& packed, bool reduce_range) {
  return relu(LinearDynamic(call, x, packed, reduce_range));
}

// --- Convolutions.

template <int kDims>
Tensor PackConv(Call call, const Tensor& weight, const Tensor& bias, IntSpan stride,
                IntSpan padding, IntSpan dilation, int64_t groups) {
  for (const IntSpan given : {stride, padding, dilation}) {
    if (given.size() == kDims) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"stride, padding and dilation must have ", kDims, " numbers each, got ", stride, ", ",
          padding, " and ", dilation});
  }
  if (groups < 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"groups must be at least 1, got ", groups});
  auto layer = std::make_unique<PackedLayer>(kDims);
  layer->stride.assign(stride.begin(), stride.end());
  layer->padding.assign(padding.begin(), padding.end());
  layer->dilation.assign(dilation.begin(), dilation.end());
  layer->groups = groups;
  return Pack(call, weight, bias, std::move(layer));
}
template <int kDims>
Tensor Conv(Call call, const Tensor& x, const Tensor& packed, double scale, int64_t zero_point) {
  const PackedLayer& p = RequirePacked(call, packed, kDims);
  if constexpr (kDims == 1) {
    return quantized_conv1d(x, packed, p.bias, p.stride, p.padding, p.dilation, p.groups, scale,
                            zero_point);
  } else if constexpr (kDims == 2) {
    return quantized_conv2d(x, packed, p.bias, p.stride, p.padding, p.dilation, p.groups, scale,
                            zero_point);
  } else {
    return quantized_conv3d(x, packed, p.bias, p.stride, p.padding, p.dilation, p.groups, scale,
                            zero_point);
  }
}
template <int kDims>
Tensor ConvRelu(Call call, const Tensor& x, const Tensor& packed, double scale,
                int64_t zero_point) {
  return relu(Conv<kDims>(call, x, packed, scale, zero_point));
}

// --- Sums, products and joins.

Tensor Add(Call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return quantized_add(a, b, scale, zero_point);
}
Tensor AddRelu(Call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return relu(quantized_add(a, b, scale, zero_point));
}
Tensor Mul(Call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return quantized_mul(a, b, scale, zero_point);
}
Tensor MulRelu(Call, const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return relu(quantized_mul(a, b, scale, zero_point));
}
Tensor Cat(Call, TensorList all, int64_t dim, std::optional<double> scale,
           std::optional<int64_t> zero_point) {
  return quantized_cat(all, dim, scale, zero_point);
}
Tensor CatRelu(Call, TensorList all, int64_t dim, std::optional<double> scale,
               std::optional<int64_t> zero_point) {
  return relu(quantized_cat(all, dim, scale, zero_point));
}

#define SY_BODY(id, name, ...)                                \
  const Composite id##_body{"quantized::" name, __VA_ARGS__}; \
  const LayoutBody id##_quantized{"quantized::" name, kQuantized};
SY_BODY(linear_prepack, "linear_prepack", PackLinear)
SY_BODY(linear_unpack, "linear_unpack", Unpack<0>)
SY_BODY(linear, "linear", Linear)
SY_BODY(linear_relu, "linear_relu", LinearRelu)
SY_BODY(linear_dynamic, "linear_dynamic", LinearDynamic)
SY_BODY(linear_relu_dynamic, "linear_relu_dynamic", LinearReluDynamic)
SY_BODY(conv1d_prepack, "conv1d_prepack", PackConv<1>)
SY_BODY(conv1d_unpack, "conv1d_unpack", Unpack<1>)
SY_BODY(conv1d, "conv1d", Conv<1>)
SY_BODY(conv1d_relu, "conv1d_relu", ConvRelu<1>)
SY_BODY(conv2d_prepack, "conv2d_prepack", PackConv<2>)
SY_BODY(conv2d_unpack, "conv2d_unpack", Unpack<2>)
SY_BODY(conv2d, "conv2d.new", Conv<2>)
SY_BODY(conv2d_relu, "conv2d_relu.new", ConvRelu<2>)
SY_BODY(conv3d_prepack, "conv3d_prepack", PackConv<3>)
SY_BODY(conv3d_unpack, "conv3d_unpack", Unpack<3>)
SY_BODY(conv3d, "conv3d.new", Conv<3>)
SY_BODY(conv3d_relu, "conv3d_relu.new", ConvRelu<3>)
SY_BODY(add, "add", Add)
SY_BODY(add_relu, "add_relu", AddRelu)
SY_BODY(mul, "mul", Mul)
SY_BODY(mul_relu, "mul_relu", MulRelu)
SY_BODY(cat, "cat", Cat)
SY_BODY(cat_relu, "cat_relu", CatRelu)
#undef SY_BODY

}  // namespace
}  // namespace sy
