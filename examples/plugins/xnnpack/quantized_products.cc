// Convolutions and products of int8 with a scale for each output channel. XNNPACK has them for
// convolutions alone: a product is one of images of one pixel.

#include "kernels.h"
#include "quantized.h"
#include "reference.h"
#include "weights.h"

namespace xnnpack {
namespace {

void RequireWeight(Tensor x, Tensor weight, Tensor scales, Tensor bias) {
  RequireDType("x", x, kInt8);
  RequireDType("weight", weight, kInt8);
  RequireDType("weight_scale", scales, kFloat32);
  if (scales.dim() != 1 || scales.size(0) != weight.size(0))
    throw Error("weight_scale must be a vector of the weight's output channels");
  if (!bias.defined()) return;
  RequireDType("bias", bias, kFloat32);
  if (bias.dim() != 1 || bias.size(0) != weight.size(0))
    throw Error("bias must be a vector of the weight's output channels");
}

int64_t CheckedEntry(const char* name, Span<const int64_t> list, size_t d, int64_t least) {
  if (list.size() != 1 && list.size() != 2)
    throw Error(std::string(name) + " must have 1 or 2 entries");
  const int64_t entry = Entry(list, d);
  if (entry < least || entry > INT32_MAX) {
    throw Error(std::string(name) + " must be at least " + std::to_string(least) + ", got " +
                std::to_string(entry));
  }
  return entry;
}

// x: [n, c, h, w], weight: [o, c / groups, kh, kw]   →   [n, o, .., ..], as x lies
void ConvRule(Rule& r, Tensor x, double x_scale, int64_t x_zero, Tensor weight, Tensor scales,
              Tensor bias, double out_scale, int64_t out_zero, Span<const int64_t> stride,
              Span<const int64_t> padding, Span<const int64_t> dilation, int64_t groups,
              int64_t low, int64_t high) {
  ScaleOf("x_", x_scale, x_zero);
  OutputOf(out_scale, out_zero, low, high);
  if (x.dim() != 4 || weight.dim() != 4) throw Error("x and weight must have 4 dimensions");
  RequireWeight(x, weight, scales, bias);
  if (groups < 1 || weight.size(0) % groups != 0 || x.size(1) != weight.size(1) * groups ||
      weight.numel() == 0) {
    throw Error("x must have the weight's input channels, " + std::to_string(weight.size(1)) +
                ", times groups, got " + std::to_string(x.size(1)));
  }
  int64_t sizes[4] = {x.size(0), weight.size(0)};
  for (size_t d = 0; d < 2; ++d) {
    const auto at = static_cast<int64_t>(d) + 2;
    const int64_t s = CheckedEntry("stride", stride, d, 1),
                  p = CheckedEntry("padding", padding, d, 0),
                  spread = CheckedEntry("dilation", dilation, d, 1);
    const int64_t left = x.size(at) + 2 * p - ((weight.size(at) - 1) * spread + 1);
    if (left < 0) throw Error("the kernel does not fit into the padded image");
    sizes[at] = left / s + 1;
  }
  const int64_t c = sizes[1], w = sizes[3], h = sizes[2];
  const int64_t strides[] = {h * w * c, 1, w * c, c};
  if (x.size(1) > 1 && x.stride(1) == 1) {
    r.Add(sizes, strides, kInt8);
  } else {
    r.Add(sizes, kInt8);
  }
}

// What both operators give XNNPACK: images, a weight of 4 dimensions or of 2.
struct Product {
  const Image &x, &out;
  Tensor weight, scales, bias;
  Scale in;
  Quantized to;
  Numbers n;
};

void Make(Call call, Kept& made, const Product& p) {
  const Channels channels = ChannelsOf(p.scales, p.bias, p.in.scale);
  const bool image = p.weight.dim() == 4;
  const Numbers& n = p.n;
  const auto* kernel = static_cast<const int8_t*>(image ? Ordered(call, p.weight, false, n.groups)
                                                        : p.weight.data());
  if (!image && !p.weight.is_contiguous()) {
    auto* copy = Scratch<int8_t>(call, p.weight.numel());
    const int64_t to[] = {p.weight.size(1), 1};
    CopyElements(call, p.weight.sizes(), {copy, to}, {p.weight.data(), p.weight.strides()}, 1);
    kernel = copy;
  }
  const uint32_t h = image ? Small(p.weight.size(2)) : 1, w = image ? Small(p.weight.size(3)) : 1;
  Created(xnn_create_convolution2d_nhwc_qc8(
      n.padding[0], n.padding[1], n.padding[0], n.padding[1], h, w, n.stride[0], n.stride[1],
      n.dilation[0], n.dilation[1], n.groups, p.x.c() / n.groups, p.out.c() / n.groups, p.x.c(),
      p.out.c(), p.in.zero, p.in.scale, channels.scales.data(), kernel,
      channels.bias.empty() ? nullptr : channels.bias.data(), p.to.scale.zero, p.to.scale.scale,
      p.to.low, p.to.high, 0, made.op.out()));
}

// Arguments 3, 4 and 5 are the weight, its scales and the bias.
void Compute(Call call, const Product& p) {
  const auto run = [&](Kept& kept) {
    kept.op.Run(Pool(call, 16 * p.out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
      return xnn_setup_convolution2d_nhwc_qc8(o, p.x.n(), p.x.h(), p.x.w(), p.x.data<int8_t>(),
                                              p.out.data<int8_t>(), pool);
    });
  };
  const auto make = [&](Kept& made) { Make(call, made, p); };
  const uint64_t constants =
      ConstantBit(p.weight, 3) | ConstantBit(p.scales, 4) | ConstantBit(p.bias, 5);
  if (constants == (p.bias.defined() ? 0b111000 : 0b011000)) {
    const int64_t key[] = {p.n.stride[0],   p.n.stride[1],
                           p.n.padding[0],  p.n.padding[1],
                           p.n.dilation[0], p.n.dilation[1],
                           p.n.groups,      BitsOf(p.in.scale),
                           p.in.zero,       BitsOf(p.to.scale.scale),
                           p.to.scale.zero, p.to.low,
                           p.to.high};
    run(Keep(call, key, constants, make));
  } else {
    Kept once;
    make(once);
    run(once);
  }
}

void Conv2d(Call call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor scales, Tensor bias, double out_scale, int64_t out_zero,
            Span<const int64_t> stride, Span<const int64_t> padding, Span<const int64_t> dilation,
            int64_t groups, int64_t low, int64_t high) {
  if (out.numel() == 0) return;
  const int64_t none[] = {0};
  const Image from = Image::Of(call, x), to = Image::For(call, out);
  Compute(call, {from, to, weight, scales, bias, ScaleOf("x_", x_scale, x_zero),
                 OutputOf(out_scale, out_zero, low, high),
                 NumbersOf(2, stride, padding, dilation, none, groups)});
  to.Done();
}

// x: [.., in], weight: [out, in]   →   [.., out]
void LinearRule(Rule& r, Tensor x, double x_scale, int64_t x_zero, Tensor weight, Tensor scales,
                Tensor bias, double out_scale, int64_t out_zero, int64_t low, int64_t high) {
  ScaleOf("x_", x_scale, x_zero);
  OutputOf(out_scale, out_zero, low, high);
  if (x.dim() < 1 || weight.dim() != 2)
    throw Error("x must have a dimension at least, and weight 2");
  RequireWeight(x, weight, scales, bias);
  if (x.size(x.dim() - 1) != weight.size(1) || weight.numel() == 0) {
    throw Error("x's last dimension must be the weight's, " + std::to_string(weight.size(1)) +
                ", got " + std::to_string(x.size(x.dim() - 1)));
  }
  std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  sizes.back() = weight.size(0);
  r.Add(sizes, kInt8);
}

// A tensor [.., n] as an image of one row and channels n. Valid while this lives.
class AsPixels {
 public:
  explicit AsPixels(Tensor t) : view_(t.view()) {
    const int64_t n = t.size(t.dim() - 1), pixels = t.numel() / n;
    const int64_t sizes[] = {1, n, 1, pixels}, strides[] = {t.numel(), 1, t.numel(), n};
    std::copy_n(sizes, 4, sizes_);
    std::copy_n(strides, 4, strides_);
    view_.sizes = sizes_;
    view_.strides = strides_;
    view_.ndim = 4;
  }
  AsPixels(const AsPixels&) = delete;
  AsPixels& operator=(const AsPixels&) = delete;
  Tensor tensor() const { return Tensor(&view_); }

 private:
  int64_t sizes_[4], strides_[4];
  SyTensor view_;
};

void Linear(Call call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor scales, Tensor bias, double out_scale, int64_t out_zero, int64_t low,
            int64_t high) {
  if (out.numel() == 0) return;
  if (!out.is_contiguous() || !x.is_contiguous()) throw Declined("only contiguous tensors");
  const AsPixels x_pixels(x), out_pixels(out);
  const Image from = Image::Of(call, x_pixels.tensor()), to = Image::For(call, out_pixels.tensor());
  Compute(call, {from,
                 to,
                 weight,
                 scales,
                 bias,
                 ScaleOf("x_", x_scale, x_zero),
                 OutputOf(out_scale, out_zero, low, high),
                 {{1, 1}, {0, 0}, {1, 1}, {0, 0}, 1}});
}

}  // namespace

void AddQuantizedProducts(KernelList& all, OperatorList& operators) {
  operators.push_back(RuleOperator<ConvRule>(
      "xnnpack::qconv2d(Tensor x, float x_scale, int x_zero, Tensor weight, Tensor weight_scale, "
      "Tensor? bias, float out_scale, int out_zero, int[2] stride=1, int[2] padding=0, int[2] "
      "dilation=1, int groups=1, int low=-128, int high=127) -> Tensor"));
  operators.push_back(RuleOperator<LinearRule>(
      "xnnpack::qlinear(Tensor x, float x_scale, int x_zero, Tensor weight, Tensor weight_scale, "
      "Tensor? bias, float out_scale, int out_zero, int low=-128, int high=127) -> Tensor"));
  AddOwn<Conv2d, reference::Conv2d>(all, "xnnpack::qconv2d", kByte);
  AddOwn<Linear, reference::Linear>(all, "xnnpack::qlinear", kByte);
}

}  // namespace xnnpack
