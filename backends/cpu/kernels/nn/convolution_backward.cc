// The input's gradient is the convolution of grad_output the other way round. The weight's is
// oneDNN's where it is worth it; else it adds up products of grad_output with the input's columns,
// sample by sample, groups in parallel: the order does not depend on threads. 16-bit floats are
// summed in float32 and rounded once.
#include "switchyard/backends/common/kernels/nn/convolution_backward.h"

#include <algorithm>
#include <atomic>

#include "backends/cpu/kernels/nn/convolution.h"
#include "backends/cpu/kernels/nn/im2col.h"
#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/backends/cpu/engine/engine.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

// to += part.
template <class T>
void AddTo(T* to, const T* part, int64_t n) {
  ParallelFor(n, 1 << 15, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] += part[i];
  });
}

// The gradient of the weights of group `group`, [out_channels, rows].
template <class T>
void OfGroup(Call call, const ConvolutionProblem& p, int64_t group, const T* image,
             const T* windows, T* to) {
  const int64_t rows = p.rows(), n = p.w.output_count(), inputs = p.w.input_count();
  const bool pointwise = p.IsPointwise();
  const Tensor columns = Tensor::Empty({pointwise ? 0 : rows * n}, p.dtype),
               part = Tensor::Empty({p.samples > 1 ? p.out_channels * rows : 0}, p.dtype);
  for (int64_t i = 0; i < p.samples; ++i) {
    const int64_t at = i * p.groups + group;
    T* matrix = const_cast<T*>(image + at * p.in_channels * inputs);
    if (!pointwise) {
      ToColumns(p.w, p.in_channels, matrix, columns.data<T>());
      matrix = columns.data<T>();
    }
    T* product = i == 0 ? to : part.data<T>();
    T* grad = const_cast<T*>(windows + at * p.out_channels * n);
    Product(call.op(), Matrix::RowMajor(product, p.dtype, p.out_channels, rows),
            Matrix::RowMajor(grad, p.dtype, p.out_channels, n),
            Matrix::RowMajor(matrix, p.dtype, rows, n).transposed());
    if (i != 0) AddTo(to, part.data<T>(), p.out_channels * rows);
  }
}

// Cut by groups, or by output channels: each part is of all samples.
bool OfWeightByLibrary(const ConvolutionProblem& p, const Tensor& image, const Tensor& windows,
                       const Tensor& to) {
  const int64_t inputs = p.w.input_count(), n = p.w.output_count();
  // Of few windows the reordered weight is most of the work.
  if (!p.IsForLibrary(8) || p.samples * n < 128) return false;
  std::atomic<bool> done = true;
  // Of groups: from group `group` on; of one: from output channel `channel` on.
  const auto block = [&](int64_t group, int64_t groups, int64_t channel, int64_t channels) {
    ConvolutionShape s = ShapeFor(p, p.samples, groups, p.in_channels, channels);
    s.input_step = p.groups * p.in_channels * inputs;
    s.output_step = p.groups * p.out_channels * n;
    if (!OneDnnConvolutionToWeight(s, image.data<float>() + group * p.in_channels * inputs,
                                   to.data<float>() + channel * p.rows(),
                                   windows.data<float>() + channel * n))
      done = false;
  };
  if (p.groups > 1) {
    ForEachPart(p.groups, 1, [&](int64_t g, int64_t count) {
      block(g, count, g * p.out_channels, count * p.out_channels);
    });
  } else {
    ForEachPart(p.out_channels, ChannelsOfPart(),
                [&](int64_t i, int64_t count) { block(0, 1, i, count); });
  }
  return done;
}

void OfWeight(Call call, const ConvolutionProblem& p, const Tensor& image, const Tensor& windows,
              const Tensor& to) {
  if (OfWeightByLibrary(p, image, windows, to)) return;
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(p.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ParallelFor(p.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t g = begin; g < end; ++g) {
        OfGroup(call, p, g, image.data<T>(), windows.data<T>(),
                to.data<T>() + g * p.out_channels * p.rows());
      }
    });
  });
}

std::tuple<Tensor, Tensor, Tensor> Backward(Call call, const Tensor& grad_output,
                                            const Tensor& input, const Tensor& weight,
                                            std::optional<IntSpan>, IntSpan stride, IntSpan padding,
                                            IntSpan dilation, bool transposed,
                                            IntSpan output_padding, int64_t groups,
                                            std::span<const bool> mask) {
  const ConvolutionParameters c{stride, padding, dilation, output_padding, transposed, groups};
  const DType d = WideOf(grad_output.dtype());
  Tensor grad;
  const auto dense_grad = [&]() -> const Tensor& {
    if (!grad.defined()) grad = Dense(grad_output, d);
    return grad;
  };
  const auto of_input = [&](const Tensor& to) {
    ConvolutionParameters back = c;
    back.transposed = !transposed;
    IntoDense(to, d, [&](const Tensor& x) {
      ConvolveDense(call, x, dense_grad(), Dense(weight, d), Tensor(), back);
    });
  };
  const auto of_weight = [&](const Tensor& to) {
    const Tensor x = Dense(input, d);
    const Tensor &image = transposed ? dense_grad() : x, &windows = transposed ? x : dense_grad();
    const ConvolutionProblem p =
        ConvolutionProblem::Of(image, weight, windows, stride, padding, dilation, groups);
    IntoDense(to, d, [&](const Tensor& w) { OfWeight(call, p, image, windows, w); });
  };
  return ConvolutionBackward<Engine>(call, grad_output, input, weight, c, mask, of_input,
                                     of_weight);
}

const Kernel kernel{"convolution_backward", "cpu", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cpu
