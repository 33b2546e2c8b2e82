#include "reference.h"

#include "quantized.h"

namespace xnnpack::reference {

void Quantize(Call, Tensor out, Tensor x, double scale, int64_t zero) {
  const Scale s = ScaleOf("", scale, zero);
  const float by = 1 / s.scale, low = -128.0f - s.zero, high = 127.0f - s.zero;
  ForEach(
      [&](int64_t o, int64_t i) {
        const float v = x.data<float>()[i] * by;
        // A NaN becomes the least there is.
        const float cut = v >= low ? std::min(v, high) : low;
        out.data<int8_t>()[o] = static_cast<int8_t>(std::lrint(cut) + s.zero);
      },
      out, x);
}

void Dequantize(Call, Tensor out, Tensor x, double scale, int64_t zero) {
  const Scale s = ScaleOf("", scale, zero);
  ForEach(
      [&](int64_t o, int64_t i) {
        out.data<float>()[o] = static_cast<float>(x.data<int8_t>()[i] - s.zero) * s.scale;
      },
      out, x);
}

// A channel at a time: w's first dimension, each with a scale that its largest element fills.
void QuantizeWeight(Call, Tensor out, Tensor scales, Tensor w) {
  const int64_t n = w.size(0);
  SyTensor from = w.view(), to = out.view();
  for (SyTensor* t : {&from, &to}) {
    t->sizes += 1;
    t->strides += 1;
    t->ndim -= 1;
    t->numel /= n;
    t->flags = 0;
  }
  for (int64_t c = 0; c < n; ++c) {
    const float* x = w.data<float>() + c * w.stride(0);
    int8_t* q = out.data<int8_t>() + c * out.stride(0);
    float most = 0;
    ForEach([&](int64_t i) { most = std::max(most, std::fabs(x[i])); }, Tensor(&from));
    const float scale = std::isnormal(most / 127) ? most / 127 : 1;
    scales.data<float>()[c * scales.stride(0)] = scale;
    ForEach(
        [&](int64_t o, int64_t i) {
          const float v = x[i] / scale;
          q[o] = static_cast<int8_t>(std::lrint(v >= -127 ? std::min(v, 127.0f) : -127.0f));
        },
        Tensor(&to), Tensor(&from));
  }
}

void AddQuantized(Call, Tensor out, Tensor a, double a_scale, int64_t a_zero, Tensor b,
                  double b_scale, int64_t b_zero, double out_scale, int64_t out_zero) {
  const Scale x = ScaleOf("a_", a_scale, a_zero), y = ScaleOf("b_", b_scale, b_zero),
              z = ScaleOf("out_", out_scale, out_zero);
  const SumNumbers n = SumNumbersOf(x.scale, y.scale, z.scale);
  ForEach(
      [&](int64_t o, int64_t i, int64_t j) {
        const int64_t sum = int64_t{n.a} * (a.data<int8_t>()[i] - x.zero) +
                            int64_t{n.b} * (b.data<int8_t>()[j] - y.zero) +
                            (int64_t{1} << (n.shift - 1));
        out.data<int8_t>()[o] =
            static_cast<int8_t>(std::clamp<int64_t>((sum >> n.shift) + z.zero, -128, 127));
      },
      out, a, b);
}

void Conv2d(Call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor weight_scale, Tensor bias, double out_scale, int64_t out_zero,
            Span<const int64_t> stride, Span<const int64_t> padding, Span<const int64_t> dilation,
            int64_t groups, int64_t low, int64_t high) {
  const Scale s = ScaleOf("x_", x_scale, x_zero);
  const Quantized to = OutputOf(out_scale, out_zero, low, high);
  const Channels channels = ChannelsOf(weight_scale, bias, s.scale);
  const int64_t per_group = out.size(1) / groups;
  const auto* q = x.data<int8_t>();
  // One output: over the input channels of its group and the pixels of the kernel in the image.
  const auto sum = [&](int64_t image, int64_t o, int64_t row, int64_t column) {
    int32_t made = channels.bias.empty() ? 0 : channels.bias[static_cast<size_t>(o)];
    const auto* w = weight.data<int8_t>() + o * weight.stride(0);
    for (int64_t c = 0; c < weight.size(1); ++c) {
      const int64_t channel = o / per_group * weight.size(1) + c;
      for (int64_t i = 0; i < weight.size(2); ++i) {
        const int64_t y = row * Entry(stride, 0) - Entry(padding, 0) + i * Entry(dilation, 0);
        if (y < 0 || y >= x.size(2)) continue;
        for (int64_t j = 0; j < weight.size(3); ++j) {
          const int64_t z = column * Entry(stride, 1) - Entry(padding, 1) + j * Entry(dilation, 1);
          if (z < 0 || z >= x.size(3)) continue;
          made +=
              (q[image * x.stride(0) + channel * x.stride(1) + y * x.stride(2) + z * x.stride(3)] -
               s.zero) *
              w[c * weight.stride(1) + i * weight.stride(2) + j * weight.stride(3)];
        }
      }
    }
    return made;
  };
  for (int64_t n = 0; n < out.size(0); ++n)
    for (int64_t o = 0; o < out.size(1); ++o)
      for (int64_t row = 0; row < out.size(2); ++row)
        for (int64_t column = 0; column < out.size(3); ++column) {
          const float scale = s.scale * channels.scales[static_cast<size_t>(o)] / to.scale.scale;
          out.data<int8_t>()[n * out.stride(0) + o * out.stride(1) + row * out.stride(2) +
                             column * out.stride(3)] =
              Requantized(sum(n, o, row, column), scale, to);
        }
}

void Linear(Call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor weight_scale, Tensor bias, double out_scale, int64_t out_zero, int64_t low,
            int64_t high) {
  const Scale s = ScaleOf("x_", x_scale, x_zero);
  const Quantized to = OutputOf(out_scale, out_zero, low, high);
  const Channels channels = ChannelsOf(weight_scale, bias, s.scale);
  const int64_t last = x.dim() - 1, in = x.size(last);
  int64_t column = 0;  // the last dimension of the output counts fastest
  // The rows of x, which has one element a row here, beside those of out.
  SyTensor rows = x.view();
  std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  sizes.back() = 1;
  rows.sizes = sizes.data();
  rows.numel = in == 0 ? 0 : x.numel() / in;
  rows.flags = 0;
  ForEach(
      [&](int64_t o, int64_t row) {
        const auto c = static_cast<size_t>(column);
        column = (column + 1) % out.size(last);
        int32_t sum = channels.bias.empty() ? 0 : channels.bias[c];
        for (int64_t i = 0; i < in; ++i) {
          sum += (x.data<int8_t>()[row + i * x.stride(last)] - s.zero) *
                 weight.data<int8_t>()[static_cast<int64_t>(c) * weight.stride(0) +
                                       i * weight.stride(1)];
        }
        const float scale = s.scale * channels.scales[c] / to.scale.scale;
        out.data<int8_t>()[o] = Requantized(sum, scale, to);
      },
      out, Tensor(&rows));
}

}  // namespace xnnpack::reference
