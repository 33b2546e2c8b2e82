// Convolutions of 8-bit integers, exact in int32, as linear layers are: of each output the products
// of the image's positions under the kernel, whose channels lie side by side. The image is copied
// once, with zeros around it: lines of a product are then places in it, and nothing else is copied.
// It stays of 8 bits where the processor multiplies these, with its zero point around it; else it
// is widened to 16, its zero point taken away.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/quantized/affine.h"
#include "backends/cpu/kernels/quantized/channel_factors.h"
#include "backends/cpu/kernels/quantized/dot_product.h"
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

bool ByChannel(const Tensor& x, const Tensor& weight, int64_t groups) {
  return groups > 1 && groups == x.sizes()[1] && groups == weight.sizes()[0];
}

// Of images of T, whose copies are of E: uint8_t where there are DotLoops, else int16_t.
template <class T, class E>
class Convolution {
 public:
  // x: [n, channels, ..]; weight: [out, channels / groups, ..].
  Convolution(const Window& w, const Tensor& x, const Tensor& weight, int64_t groups, int64_t zero,
              const ChannelFactors& factors, ToIntegers<T> by)
      : w_(w),
        channels_(x.sizes()[1]),
        out_(weight.sizes()[0]),
        groups_(groups),
        input_(Contiguous(WithLast(x, 1))),
        weight_(Contiguous(WithLast(weight, 1))),
        zero_(static_cast<int32_t>(zero)),
        by_channel_(ByChannel(x, weight, groups)),
        factors_(factors),
        by_(by) {
    for (int d = 0; d < 3; ++d)
      reached_[d] =
          std::max(w.inputs[d] + 2 * w.padding[d],
                   (w.outputs[d] - 1) * w.stride[d] + (w.kernel[d] - 1) * w.dilation[d] + 1);
  }

  // to: [n, .., out] without gaps.
  void Run(T* to) {
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
    const std::vector<Product> products = ProductsOf(terms, run, at);
    image_ = Array<E>(reached_[0] * reached_[1] * reached_[2] * channels_ +
                      RoundUp(run, ActiveQuantizedTables().products.lanes));
    std::fill_n(image_.begin(), image_.size(), kBytes ? static_cast<E>(DotZero<T>(zero_)) : E{0});
    const Narrow narrow = by_channel_ ? TapsOf(terms) : Narrow();
    const int64_t samples = input_.sizes()[0], size = w_.output_count();
    for (int64_t n = 0; n < samples; ++n) {
      Fetch(input_.data<T>() + n * w_.input_count() * channels_);
      T* const y = to + n * size * out_;
      ParallelFor(size, std::max<int64_t>(1, kWork / std::max<int64_t>(1, terms * out_ / groups_)),
                  [&](int64_t first, int64_t last) {
                    if (by_channel_) return Channels(at, narrow, first, last, y);
                    Positions(products, first, last, y);
                  });
    }
  }

 private:
  static constexpr bool kBytes = sizeof(E) == 1;
  using Product = std::conditional_t<kBytes, DotProduct, IntegerProduct>;
  using Narrow = std::vector<int16_t>;

  int64_t Place(int64_t d, int64_t h, int64_t w) const {
    return ((d * reached_[1] + h) * reached_[2] + w) * channels_;
  }
  // Where the kernel begins, output by output.
  class Lines {
   public:
    Lines(const Convolution& c, int64_t output) : c_(c) {
      const int64_t* const outputs = c.w_.outputs;
      w_ = output % outputs[2];
      h_ = output / outputs[2] % outputs[1];
      d_ = output / outputs[2] / outputs[1];
    }
    const E* Next() {
      const Window& w = c_.w_;
      const E* const line =
          c_.image_.begin() + c_.Place(d_ * w.stride[0], h_ * w.stride[1], w_ * w.stride[2]);
      if (++w_ == w.outputs[2]) {
        w_ = 0;
        if (++h_ == w.outputs[1]) h_ = 0, ++d_;
      }
      return line;
    }

   private:
    const Convolution& c_;
    int64_t d_, h_, w_;
  };
  // One for each group.
  std::vector<Product> ProductsOf(int64_t terms, int64_t run, const std::vector<int64_t>& at) {
    std::vector<Product> products;
    if (by_channel_) return products;
    const int64_t columns = out_ / groups_;
    for (int64_t g = 0; g < groups_; ++g) {
      const int8_t* const from = weight_.data<int8_t>() + g * columns * terms;
      if constexpr (kBytes) {
        products.emplace_back(*ActiveDotLoops(), from, columns, terms, run, at);
        starts_.push_back(products.back().StartsFor(DotZero<T>(zero_)));
      } else {
        products.emplace_back(from, terms, run, at);
      }
    }
    return products;
  }
  // A sample, behind the padding.
  void Fetch(const T* from) {
    const int64_t n = w_.inputs[2] * channels_;
    ParallelFor(w_.inputs[0] * w_.inputs[1], std::max<int64_t>(1, kWork / std::max<int64_t>(1, n)),
                [&](int64_t first, int64_t last) {
                  for (int64_t i = first; i < last; ++i) {
                    E* const to =
                        image_.begin() + Place(i / w_.inputs[1] + w_.padding[0],
                                               i % w_.inputs[1] + w_.padding[1], w_.padding[2]);
                    if constexpr (kBytes) {
                      CopyForDots(*ActiveDotLoops(), to, from + i * n, n);
                    } else {
                      ActiveQuantized<T>().centre(to, from + i * n, n, zero_);
                    }
                  }
                });
  }
  // sums: [positions, out_] from `position` on.
  void Store(const int32_t* sums, int64_t position, int64_t positions, T* y) const {
    const auto requantize = ActiveQuantized<T>().requantize;
    factors_.ForEach(
        position, positions, 0, out_,
        [&](int64_t to, int64_t from, int64_t n, const float* steps, const float* added) {
          requantize(y + to, sums + from, n, steps, added, by_);
        });
  }

  // sum(lines, sums) for some positions at a time: sums, [positions, out_], of the lines that their
  // kernels see, which it may move.
  template <class F>
  void ForLines(int64_t first, int64_t last, T* y, F sum) const {
    const int64_t at_once = std::min(last - first, IntegerProduct::LinesAtOnce(out_));
    const Array<int32_t> sums(at_once * out_);
    std::vector<const E*> lines;
    Lines next(*this, first);
    for (int64_t i = first; i < last; i += at_once) {
      const int64_t some = std::min(last - i, at_once);
      lines.clear();
      for (int64_t k = 0; k < some; ++k) lines.push_back(next.Next());
      sum(lines, sums.begin());
      Store(sums.begin(), i, some, y);
    }
  }

  void Positions(const std::vector<Product>& products, int64_t first, int64_t last, T* y) const {
    const int64_t columns = out_ / groups_, each = channels_ / groups_;
    ForLines(first, last, y, [&](std::vector<const E*>& lines, int32_t* sums) {
      for (int64_t g = 0; g < groups_; ++g) {
        const Product& product = products[static_cast<size_t>(g)];
        int32_t* const to = sums + g * columns;
        if constexpr (kBytes) {
          product.Sum(lines, starts_[static_cast<size_t>(g)], 0, columns, to, out_);
        } else {
          product.Sum(lines, 0, columns, to, out_);
        }
        for (const E*& line : lines) line += each;
      }
    });
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
    if constexpr (!kBytes) {
      const auto sum = ActiveQuantizedTables().products.channels;
      ForLines(first, last, y, [&](const std::vector<const E*>& lines, int32_t* sums) {
        sum(sums, lines.data(), static_cast<int64_t>(lines.size()), at.data(), taps.data(),
            static_cast<int64_t>(at.size()), channels_);
      });
    }
  }

  const Window w_;
  const int64_t channels_, out_, groups_;
  const Tensor input_, weight_;
  const int32_t zero_;
  const bool by_channel_;  // each by itself, of 16 bits
  const ChannelFactors& factors_;
  const ToIntegers<T> by_;
  int64_t reached_[3];  // sizes of the image with what is around it
  Array<E> image_;
  std::vector<Array<int32_t>> starts_;  // of bytes, for each group
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
    const ChannelFactors factors(f.steps, BiasOf(bias, weight.sizes()[0]));
    VisitDType<Mask(DType::kUInt8, DType::kInt8)>(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const ToIntegers<T> by{1.0f / static_cast<float>(scale), static_cast<int32_t>(zero_point),
                             std::numeric_limits<T>::min()};
      IntoDense(behind, x.dtype(), [&](const Tensor& y) {
        const Tensor kernel = IntegersOf(weight);
        if (ActiveDotLoops() != nullptr && !ByChannel(x, kernel, groups)) {
          Convolution<T, uint8_t>(w, x, kernel, groups, f.input_zero, factors, by).Run(y.data<T>());
        } else {
          Convolution<T, int16_t>(w, x, kernel, groups, f.input_zero, factors, by).Run(y.data<T>());
        }
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
