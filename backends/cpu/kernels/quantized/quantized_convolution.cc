// Convolutions of 8-bit integers, exact in int32, as linear layers are: of each output the products
// of the image's positions under the kernel, whose channels lie side by side. The image is widened
// to 16 bits once, its zero point taken away, with zeros around it: lines of a product are then
// places in it, and nothing is copied.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "backends/cpu/kernels/quantized/affine.h"
#include "backends/cpu/kernels/quantized/integer_product.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/quantized/lanes.h"
#include "switchyard/backends/cpu/simd/array.h"
#include "switchyard/core/view_as.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/nn/convolution_sizes.h"
#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy::cpu {
namespace {

template <class T>
class Convolution {
 public:
  // x: [n, channels, ..]; weight: [out, channels / groups, ..].
  Convolution(const Window& w, const Tensor& x, const Tensor& weight, int64_t groups,
              const LayerFactors& f, const float* added, ToIntegers<T> by)
      : w_(w),
        channels_(x.sizes()[1]),
        out_(weight.sizes()[0]),
        groups_(groups),
        input_(Contiguous(WithLast(x, 1))),
        weight_(Contiguous(WithLast(weight, 1))),
        zero_(static_cast<int32_t>(f.input_zero)),
        steps_(f.steps.data()),
        added_(added),
        by_(by) {
    for (int d = 0; d < 3; ++d)
      reached_[d] =
          std::max(w.inputs[d] + 2 * w.padding[d],
                   (w.outputs[d] - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1);
  }

  // to: [n, .., out] without gaps.
  void Run(T* to) {
    const bool by_channel = groups_ == channels_ && out_ == channels_ && groups_ > 1;
    // Positions beside each other under the kernel are one run where all channels count.
    const bool lines = groups_ == 1 && w_.dilation[2] == 1;
    const int64_t each = channels_ / groups_;
    const int64_t run = lines ? w_.kernel[2] * each : each;
    std::vector<int64_t> at;
    for (int64_t d = 0; d < w_.kernel[0]; ++d) {
      for (int64_t h = 0; h < w_.kernel[1]; ++h) {
        for (int64_t i = 0; i < (lines ? 1 : w_.kernel[2]); ++i)
          at.push_back(Place(d * w_.dilation[0], h * w_.dilation[1], i * w_.dilation[2]));
      }
    }
    const int64_t terms = static_cast<int64_t>(at.size()) * run;
    const IntegerProduct product(weight_.data<int8_t>(), terms, run, at);
    image_ = Array<int16_t>(reached_[0] * reached_[1] * reached_[2] * channels_ + product.padded());
    std::fill_n(image_.begin(), image_.size(), int16_t{0});
    const Narrow narrow = by_channel ? TapsOf(terms) : Narrow();
    const int64_t samples = input_.sizes()[0], size = w_.output_count();
    for (int64_t n = 0; n < samples; ++n) {
      Widen(input_.data<T>() + n * w_.input_count() * channels_);
      T* const y = to + n * size * out_;
      ParallelFor(size, std::max<int64_t>(1, kWork / std::max<int64_t>(1, terms * out_ / groups_)),
                  [&](int64_t first, int64_t last) {
                    if (by_channel) return Channels(at, narrow, first, last, y);
                    for (int64_t g = 0; g < groups_; ++g) Products(product, g, first, last, y);
                  });
    }
  }

 private:
  using Narrow = std::vector<int16_t>;

  int64_t Place(int64_t d, int64_t h, int64_t w) const {
    return ((d * reached_[1] + h) * reached_[2] + w) * channels_;
  }
  // Where the kernel begins of an output.
  const int16_t* Line(int64_t output) const {
    const int64_t w = output % w_.outputs[2], rest = output / w_.outputs[2];
    return image_.begin() + Place(rest / w_.outputs[1] * w_.stride[0],
                                  rest % w_.outputs[1] * w_.stride[1], w * w_.stride[2]);
  }
  // A sample, behind the padding.
  void Widen(const T* from) {
    const auto centre = ActiveQuantized<T>().centre;
    const int64_t n = w_.inputs[2] * channels_;
    ParallelFor(w_.inputs[0] * w_.inputs[1], std::max<int64_t>(1, kWork / std::max<int64_t>(1, n)),
                [&](int64_t first, int64_t last) {
                  for (int64_t i = first; i < last; ++i) {
                    int16_t* const to =
                        image_.begin() + Place(i / w_.inputs[1] + w_.padding[0],
                                               i % w_.inputs[1] + w_.padding[1], w_.padding[2]);
                    centre(to, from + i * n, n, zero_);
                  }
                });
  }
  void Store(const int32_t* sums, int64_t channel, int64_t channels, T* to) const {
    ActiveQuantized<T>().requantize(to + channel, sums, channels, steps_ + channel,
                                    added_ + channel, by_);
  }

  void Products(const IntegerProduct& product, int64_t group, int64_t first, int64_t last,
                T* y) const {
    const int64_t columns = out_ / groups_, at_once = IntegerProduct::LinesAtOnce(columns);
    std::vector<int32_t> sums(static_cast<size_t>(std::min(at_once, last - first) * columns));
    std::vector<const int16_t*> lines;
    for (int64_t i = first; i < last; i += at_once) {
      const int64_t end = std::min(last, i + at_once);
      lines.clear();
      for (int64_t k = i; k < end; ++k) lines.push_back(Line(k) + group * (channels_ / groups_));
      product.Sum(lines, group * columns, columns, sums.data());
      for (int64_t k = i; k < end; ++k)
        Store(sums.data() + (k - i) * columns, group * columns, columns, y + k * out_);
    }
  }

  // Each channel by itself: the weights as [taps, channels], of 16 bits.
  Narrow TapsOf(int64_t taps) const {
    Narrow narrow(static_cast<size_t>(taps * channels_));
    const auto* from = weight_.data<int8_t>();
    for (int64_t c = 0; c < channels_; ++c) {
      for (int64_t t = 0; t < taps; ++t)
        narrow[static_cast<size_t>(t * channels_ + c)] = from[c * taps + t];
    }
    return narrow;
  }
  void Channels(const std::vector<int64_t>& at, const Narrow& taps, int64_t first, int64_t last,
                T* y) const {
    const auto sum = ActiveQuantizedTables().products.channels;
    std::vector<int32_t> sums(static_cast<size_t>(channels_));
    for (int64_t i = first; i < last; ++i) {
      sum(sums.data(), Line(i), at.data(), taps.data(), static_cast<int64_t>(at.size()), channels_);
      Store(sums.data(), 0, channels_, y + i * out_);
    }
  }

  const Window w_;
  const int64_t channels_, out_, groups_;
  const Tensor input_, weight_;
  const int32_t zero_;
  const float *const steps_, *const added_;
  const ToIntegers<T> by_;
  int64_t reached_[3];  // sizes of the image with what is around it
  Array<int16_t> image_;
};

template <int kDims>
Tensor Conv(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
            IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups, double scale,
            int64_t zero_point) {
  RequireRanks(call.op(), input, weight, kDims);
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
  RequireZeroPoint(call.op(), "output_zero_point", zero_point, input.dtype());
  const bool single = input.dim() == kDims + 1;
  Tensor x = IntegersOf(input);
  if (single) {
    std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end()),
        strides(x.strides().begin(), x.strides().end());
    sizes.insert(sizes.begin(), 1);
    strides.insert(strides.begin(), x.numel());
    x = ViewAs(x, x.dtype(), sizes, strides, x.storage_offset());
  }
  const int64_t none[kDims] = {};
  int64_t room[5], strides[5];
  const IntSpan sizes =
      ConvolutionSizes(call.op(), x, weight, stride, padding, dilation, false, none, groups, room);
  FormatStrides(sizes, x.suggest_memory_format(), strides);
  const Tensor out = Tensor::EmptyStrided(sizes, IntSpan(strides, sizes.size()), x.dtype());
  if (out.numel() != 0) {
    const Window w = Window::OfConvolution(x, out, weight, stride, padding, dilation);
    const Tensor behind = WithLast(out, 1);
    const std::vector<float> added = BiasOf(bias, weight.sizes()[0]);
    VisitDType<Mask(DType::kUInt8, DType::kInt8)>(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const ToIntegers<T> by{1.0f / static_cast<float>(scale), static_cast<int32_t>(zero_point),
                             std::numeric_limits<T>::min()};
      IntoDense(behind, x.dtype(), [&](const Tensor& y) {
        Convolution<T>(w, x, IntegersOf(weight), groups, f, added.data(), by).Run(y.data<T>());
      });
    });
  }
  const Tensor result = single ? ViewAs(out, out.dtype(), sizes.last(sizes.size() - 1),
                                        IntSpan(strides + 1, sizes.size() - 1), 0)
                               : out;
  return MakeQuantized(result, Quantizer(scale, zero_point));
}

const LayoutKernel conv1d{"quantized_conv1d", kQuantized, Conv<1>, "cpu"};
const LayoutKernel conv2d{"quantized_conv2d", kQuantized, Conv<2>, "cpu"};
const LayoutKernel conv3d{"quantized_conv3d", kQuantized, Conv<3>, "cpu"};

}  // namespace
}  // namespace sy::cpu
