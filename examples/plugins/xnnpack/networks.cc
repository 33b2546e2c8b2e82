#include "networks.h"

#include <algorithm>
#include <cmath>

namespace networks {

using sy::Tensor;

namespace {

Tensor Frozen(const Tensor& t) { return sy::freeze(t); }
// A copy there.
Tensor Moved(const Tensor& t, sy::Device device, bool frozen = true) {
  const Tensor made =
      sy::to(t, std::nullopt, std::nullopt, device, std::nullopt, false, /*copy=*/true);
  return frozen ? Frozen(made) : made;
}

// Of `in` numbers each output is a sum.
Tensor Weight(const sy::Ints& sizes, int64_t in) {
  return Frozen(sy::mul_(sy::randn(sizes), 1 / std::sqrt(static_cast<double>(in))));
}
Tensor Bias(int64_t n) { return Frozen(sy::mul_(sy::randn({n}), 0.1)); }

Convolution Made(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t groups,
                 bool relu6) {
  const int64_t each = in / groups;
  return {Weight({out, each, kernel, kernel}, each * kernel * kernel),
          Bias(out),
          stride,
          kernel / 2,
          groups,
          relu6};
}

Tensor Convolved(const Convolution& c, const Tensor& x) {
  const Tensor out = sy::conv2d(x, c.weight, c.bias, {c.stride, c.stride}, {c.padding, c.padding},
                                {1, 1}, c.groups);
  return c.relu6 ? sy::relu6_(out) : out;
}

struct BlockSizes {
  int64_t in, out, stride;
};
constexpr BlockSizes kBlocks[] = {{16, 24, 2}, {24, 24, 1}, {24, 32, 2},
                                  {32, 32, 1}, {32, 64, 2}, {64, 64, 1}};
constexpr int64_t kWiden = 6, kHead = 256, kClasses = 100;
constexpr int64_t kWidth = 384, kHeads = 12, kMlp = 1536;

}  // namespace

ConvNet::ConvNet(uint64_t seed) {
  sy::manual_seed(seed);
  stem = Made(3, 16, 3, 2, 1, true);
  for (const BlockSizes& b : kBlocks) {
    const int64_t wide = b.in * kWiden;
    blocks.push_back({Made(b.in, wide, 1, 1, 1, true), Made(wide, wide, 3, b.stride, wide, true),
                      Made(wide, b.out, 1, 1, 1, false), b.in == b.out && b.stride == 1});
  }
  head = Made(64, kHead, 1, 1, 1, true);
  classes = Weight({kClasses, kHead}, kHead);
  classes_bias = Bias(kClasses);
}

ConvNet ConvNet::On(sy::Device device, bool frozen) const {
  ConvNet net = *this;
  const auto move = [&](Convolution& c) {
    c.weight = Moved(c.weight, device, frozen);
    c.bias = Moved(c.bias, device, frozen);
  };
  move(net.stem);
  for (Block& b : net.blocks) {
    move(b.widen);
    move(b.depthwise);
    move(b.narrow);
  }
  move(net.head);
  net.classes = Moved(classes, device, frozen);
  net.classes_bias = Moved(classes_bias, device, frozen);
  return net;
}

Tensor ConvNet::operator()(const Tensor& image) const {
  Tensor x = Convolved(stem, image);
  for (const Block& b : blocks) {
    const Tensor y = Convolved(b.narrow, Convolved(b.depthwise, Convolved(b.widen, x)));
    x = b.residual ? sy::add_(y, x) : y;
  }
  x = sy::flatten(sy::adaptive_avg_pool2d(Convolved(head, x), {1, 1}), 1);
  return sy::linear(x, classes, classes_bias);
}

QuantizedNet::QuantizedNet(const ConvNet& net, const Tensor& image, sy::Device device) {
  const auto scale_of = [](const Tensor& x, bool relu6) -> Scale {
    if (relu6) return {6.0 / 255, -128};
    return {std::max(sy::item(sy::amax(sy::abs(x))).To<double>(), 1e-6) / 127, 0};
  };
  const auto quantize = [&](const Tensor& weight, const Tensor& bias, Scale out) {
    const sy::Results made = sy::call("xnnpack::quantize_weight", weight);
    Quantized q = {};
    q.weight = Moved(made[0].tensor(), device);
    q.scales = Moved(made[1].tensor(), device);
    q.bias = Moved(bias, device);
    q.out = out;
    return q;
  };
  // Runs a convolution on cpu and has its int8 twin.
  const auto add = [&](const Convolution& c, Tensor& x) {
    x = Convolved(c, x);
    Quantized q = quantize(c.weight, c.bias, scale_of(x, c.relu6));
    q.stride = c.stride;
    q.padding = c.padding;
    q.groups = c.groups;
    q.relu6 = c.relu6;
    return q;
  };
  Tensor x = image;
  in_ = scale_of(x, false);
  stem_ = add(net.stem, x);
  for (const Block& b : net.blocks) {
    const Tensor before = x;
    QuantizedBlock q;
    q.widen = add(b.widen, x);
    q.depthwise = add(b.depthwise, x);
    q.narrow = add(b.narrow, x);
    q.residual = b.residual;
    if (b.residual) x = sy::add(x, before);
    q.out = b.residual ? scale_of(x, false) : q.narrow.out;
    blocks_.push_back(q);
  }
  head_ = add(net.head, x);
  x = sy::flatten(sy::adaptive_avg_pool2d(x, {1, 1}), 1);
  classes_ = quantize(net.classes, net.classes_bias,
                      scale_of(sy::linear(x, net.classes, net.classes_bias), false));
}

Tensor QuantizedNet::Run(const Quantized& q, const Tensor& x, Scale in) {
  return sy::call("xnnpack::qconv2d", x, in.scale, in.zero, q.weight, q.scales, q.bias, q.out.scale,
                  q.out.zero, q.stride, q.padding, 1, q.groups)
      .take();
}

// A scale of 6 / 255 cuts off as relu6 does.
Tensor QuantizedNet::operator()(const Tensor& image) const {
  Tensor x = sy::call("xnnpack::quantize", image, in_.scale, in_.zero).take();
  x = Run(stem_, x, in_);
  Scale scale = stem_.out;
  for (const QuantizedBlock& b : blocks_) {
    const Tensor y =
        Run(b.narrow, Run(b.depthwise, Run(b.widen, x, scale), b.widen.out), b.depthwise.out);
    x = b.residual ? sy::call("xnnpack::qadd", y, b.narrow.out.scale, b.narrow.out.zero, x,
                              scale.scale, scale.zero, b.out.scale, b.out.zero)
                         .take()
                   : y;
    scale = b.out;
  }
  x = Run(head_, x, scale);
  // A mean of int8 has the scale of what it is of.
  x = sy::call("xnnpack::dequantize", x, head_.out.scale, head_.out.zero).take();
  x = sy::flatten(sy::adaptive_avg_pool2d(x, {1, 1}), 1);
  x = sy::call("xnnpack::quantize", x, head_.out.scale, head_.out.zero).take();
  x = sy::call("xnnpack::qlinear", x, head_.out.scale, head_.out.zero, classes_.weight,
               classes_.scales, classes_.bias, classes_.out.scale, classes_.out.zero)
          .take();
  return sy::call("xnnpack::dequantize", x, classes_.out.scale, classes_.out.zero).take();
}

EncoderLayer::EncoderLayer(uint64_t seed) {
  sy::manual_seed(seed);
  qkv_ = Weight({3 * kWidth, kWidth}, kWidth);
  qkv_bias_ = Bias(3 * kWidth);
  merge_ = Weight({kWidth, kWidth}, kWidth);
  merge_bias_ = Bias(kWidth);
  widen_ = Weight({kMlp, kWidth}, kWidth);
  widen_bias_ = Bias(kMlp);
  narrow_ = Weight({kWidth, kMlp}, kMlp);
  narrow_bias_ = Bias(kWidth);
  scale_ = Frozen(sy::ones({kWidth}));
  shift_ = Frozen(sy::zeros({kWidth}));
}

EncoderLayer EncoderLayer::On(sy::Device device, bool frozen) const {
  EncoderLayer made = *this;
  for (Tensor* t :
       {&made.qkv_, &made.qkv_bias_, &made.merge_, &made.merge_bias_, &made.widen_,
        &made.widen_bias_, &made.narrow_, &made.narrow_bias_, &made.scale_, &made.shift_})
    *t = Moved(*t, device, frozen);
  return made;
}

Tensor EncoderLayer::operator()(const Tensor& x) const {
  const int64_t l = x.size(0);
  const auto normalized = [&](const Tensor& t) {
    return sy::layer_norm(t, {kWidth}, scale_, shift_);
  };
  const Tensor qkv = sy::view(sy::linear(x, qkv_, qkv_bias_), {1, l, 3, kHeads, kWidth / kHeads});
  const auto part = [&](int64_t i) { return sy::transpose(sy::select(qkv, 2, i), 1, 2); };
  const Tensor heard = sy::scaled_dot_product_attention(part(0), part(1), part(2));
  const Tensor merged = sy::reshape(sy::transpose(heard, 1, 2), {l, kWidth});
  const Tensor y = normalized(sy::add_(sy::linear(merged, merge_, merge_bias_), x));
  const Tensor wide = sy::gelu_(sy::linear(y, widen_, widen_bias_));
  return normalized(sy::add_(sy::linear(wide, narrow_, narrow_bias_), y));
}

}  // namespace networks
