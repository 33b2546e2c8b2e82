// By oneDNN where it is worth it, transposed or not; else windows as columns of a matrix, times the
// weights; transposed, the product's columns are added where they come from. 16-bit floats are
// computed in float32 and rounded once, but where ATen rounds more often (RoundsColumns).
#include "backends/cpu/kernels/nn/convolution.h"

#include <algorithm>
#include <atomic>
#include <complex>

#include "backends/cpu/kernels/nn/im2col.h"
#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/blas/onednn_convolution.h"
#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Forward(Call call, const ConvolutionProblem& p, const char* x, const char* weight, char* y) {
  const int64_t rows = p.in_channels * p.taps(), n = p.w.output_count();
  const int64_t item = static_cast<int64_t>(p.item);
  const bool pointwise = p.IsPointwise();
  const Tensor columns = Tensor::Empty({pointwise ? 0 : rows * n}, p.dtype);
  for (int64_t i = 0; i < p.samples * p.groups; ++i) {
    const char* image = x + i * p.in_channels * p.w.input_count() * item;
    void* matrix = columns.data();
    if (pointwise) {
      matrix = const_cast<char*>(image);
    } else {
      VisitItem(p.item, [&](auto tag) {
        using U = decltype(tag);
        ToColumns(p.w, p.in_channels, reinterpret_cast<const U*>(image), static_cast<U*>(matrix));
      });
    }
    const char* kernels = weight + i % p.groups * p.out_channels * rows * item;
    Product(call.op(),
            Matrix::RowMajor(y + i * p.out_channels * n * item, p.dtype, p.out_channels, n),
            Matrix::RowMajor(const_cast<char*>(kernels), p.dtype, p.out_channels, rows),
            Matrix::RowMajor(matrix, p.dtype, rows, n));
  }
}

// Windows slide over y here, whose channels are p.in_channels; y starts as zeros.
void Transposed(Call call, const ConvolutionProblem& p, const char* x, const char* weight,
                char* y) {
  const int64_t rows = p.in_channels * p.taps(), n = p.w.output_count();
  const int64_t item = static_cast<int64_t>(p.item);
  const Tensor columns = Tensor::Empty({rows * n}, p.dtype);
  for (int64_t i = 0; i < p.samples * p.groups; ++i) {
    const char* kernels = weight + i % p.groups * p.out_channels * rows * item;
    const char* image = x + i * p.out_channels * n * item;
    Product(
        call.op(), Matrix::RowMajor(columns.data(), p.dtype, rows, n),
        Matrix::RowMajor(const_cast<char*>(kernels), p.dtype, p.out_channels, rows).transposed(),
        Matrix::RowMajor(const_cast<char*>(image), p.dtype, p.out_channels, n));
    VisitDType<kSummed>(p.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      FromColumns(p.w, p.in_channels, columns.data<T>(),
                  reinterpret_cast<T*>(y + i * p.in_channels * p.w.input_count() * item));
    });
  }
}

// Each channel starts as, or is added, its element of bias.
void AddBias(const Tensor& y, const Tensor& bias) {
  const int64_t channels = y.sizes()[1], n = y.numel() / (y.sizes()[0] * channels);
  VisitDType<kSummed>(y.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* b = bias.data<T>();
    ParallelFor(
        y.sizes()[0] * channels, std::max<int64_t>(1, (1 << 14) / n),
        [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            T* row = y.data<T>() + i * n;
            const T add = b[i % channels];
            for (int64_t k = 0; k < n; ++k) {
              if constexpr (std::is_integral_v<T>) {  // wraps around
                row[k] = static_cast<T>(static_cast<uint64_t>(row[k]) + static_cast<uint64_t>(add));
              } else if constexpr (sizeof(T) == 2) {
                row[k] = T(static_cast<float>(row[k]) + static_cast<float>(add));
              } else {
                row[k] += add;
              }
            }
          }
        });
  });
}

// Multiplications from which on the library's own layouts pay.
constexpr int64_t kLibraryWork = 1 << 18;

// f(sample, samples, channel, channels) of each part of a result of so many channels: cut by
// samples, or, where they are too few, by channels, into as many parts as there are threads, or,
// where results shall not depend on those, into parts of one sample or of some channels.
template <class F>
void ForEachBlock(const ConvolutionProblem& p, int64_t channels, F f) {
  const bool fixed = are_deterministic_algorithms_enabled();
  if (p.samples >= (fixed ? 2 : NumThreads()) || p.groups > 1) {
    ForEachPart(p.samples, 1, [&](int64_t i, int64_t count) { f(i, count, 0, channels); });
  } else {
    ForEachPart(channels, ChannelsOfPart(),
                [&](int64_t i, int64_t count) { f(0, p.samples, i, count); });
  }
}

// False: not computed.
bool ByLibrary(const ConvolutionProblem& p, const Tensor& x, const Tensor& weight,
               const Tensor& bias, const Tensor& y) {
  if (p.dtype != DType::kBFloat16 && p.dtype != DType::kFloat32) return false;
  const int64_t n = p.w.output_count(), outputs = p.out_channels * p.groups;
  if (p.work() < kLibraryWork) return false;
  const Tensor wide = Dense(bias, DType::kFloat32);
  const float* added = wide.defined() ? wide.data<float>() : nullptr;
  const int64_t item = static_cast<int64_t>(p.item);
  std::atomic<bool> done = true;
  ForEachBlock(p, outputs, [&](int64_t sample, int64_t samples, int64_t channel, int64_t channels) {
    ConvolutionShape s = ShapeFor(p, samples, p.groups, p.in_channels, channels);
    s.output_step = outputs * n;
    const char* from =
        static_cast<const char*>(x.data()) + sample * s.in_channels * p.w.input_count() * item;
    const char* kernels = static_cast<const char*>(weight.data()) + channel * p.rows() * item;
    char* to = static_cast<char*>(y.data()) + (sample * outputs + channel) * n * item;
    if (!OneDnnConvolution(s, from, kernels, added == nullptr ? nullptr : added + channel, to))
      done = false;
  });
  return done;
}

// The other way round: y is what windows slide over.
bool TransposedByLibrary(const ConvolutionProblem& p, const Tensor& x, const Tensor& weight,
                         const Tensor& y) {
  if (!p.IsForLibrary(16)) return false;
  const int64_t inputs = p.w.input_count(), channels = p.in_channels * p.groups,
                step = p.out_channels * p.groups * p.w.output_count();
  std::atomic<bool> done = true;
  ForEachBlock(p, channels, [&](int64_t sample, int64_t samples, int64_t channel, int64_t count) {
    ConvolutionShape s =
        ShapeFor(p, samples, p.groups, count / p.groups, p.out_channels * p.groups);
    s.input_step = channels * inputs;
    s.weight_step = p.groups == 1 ? p.rows() : 0;
    if (!OneDnnConvolutionToInput(s, y.data<float>() + (sample * channels + channel) * inputs,
                                  weight.data<float>() + channel * p.taps(),
                                  x.data<float>() + sample * step))
      done = false;
  });
  return done;
}

}  // namespace

ConvolutionShape ShapeFor(const ConvolutionProblem& p, int64_t samples, int64_t groups,
                          int64_t in_channels, int64_t out_channels) {
  ConvolutionShape s{.bfloat16 = p.dtype == DType::kBFloat16,
                     .dims = p.w.dims,
                     .samples = samples,
                     .groups = groups,
                     .in_channels = in_channels * groups,
                     .out_channels = out_channels,
                     .inputs = {},
                     .outputs = {},
                     .kernel = {},
                     .stride = {},
                     .padding = {},
                     .dilation = {},
                     .input_step = 0,
                     .output_step = 0,
                     .weight_step = 0};
  std::copy_n(p.w.inputs, 3, s.inputs);
  std::copy_n(p.w.outputs, 3, s.outputs);
  std::copy_n(p.w.kernel, 3, s.kernel);
  std::copy_n(p.w.stride, 3, s.stride);
  std::copy_n(p.w.padding, 3, s.padding);
  std::copy_n(p.w.dilation, 3, s.dilation);
  return s;
}

void ConvolveDense(Call call, const Tensor& y, const Tensor& x, const Tensor& weight,
                   const Tensor& bias, const ConvolutionParameters& c) {
  const bool empty = x.numel() == 0 || weight.numel() == 0;
  const ConvolutionProblem p =
      ConvolutionProblem::Of(c.transposed ? y : x, weight, c.transposed ? x : y, c.stride,
                             c.padding, c.dilation, c.groups);
  if (!c.transposed && !empty && ByLibrary(p, x, weight, bias, y)) return;
  if (!c.transposed || empty || !TransposedByLibrary(p, x, weight, y)) {
    if (empty || c.transposed) FillElements(y, Scalar(0));
    const auto data = [](const Tensor& t) { return static_cast<char*>(t.data()); };
    if (!empty) (c.transposed ? Transposed : Forward)(call, p, data(x), data(weight), data(y));
  }
  if (bias.defined()) AddBias(y, bias);
}

namespace {

// Real parts, imaginary ones, or their sums.
enum class Part { kReal, kImaginary, kSum };
template <class T>
Tensor PartOf(const Tensor& t, Part part) {
  if (!t.defined()) return t;
  const Tensor from = Dense(t, DTypeOf<std::complex<T>>), to = Tensor::Empty(t.sizes(), DTypeOf<T>);
  const auto* x = from.data<std::complex<T>>();
  for (int64_t i = 0; i < t.numel(); ++i) {
    to.data<T>()[i] = part == Part::kReal        ? x[i].real()
                      : part == Part::kImaginary ? x[i].imag()
                                                 : x[i].real() + x[i].imag();
  }
  return to;
}

// Three real ones: of the parts by themselves, a and b, and of their sums, c; the result is a - b +
// i (c - a - b). Source: complex_convolution, ATen/native/Convolution.cpp.
template <class T>
void ComputeComplex(Call call, const Tensor& out, const Tensor& x, const Tensor& weight,
                    const Tensor& bias, const ConvolutionParameters& parameters) {
  const auto part = [&](Part which, const Tensor& b) {
    const Tensor y = Tensor::Empty(out.sizes(), DTypeOf<T>);
    ConvolveDense(call, y, PartOf<T>(x, which), PartOf<T>(weight, which), b, parameters);
    return y;
  };
  const Tensor a = part(Part::kReal, PartOf<T>(bias, Part::kReal)),
               b = part(Part::kImaginary, Tensor()),
               c = part(Part::kSum, PartOf<T>(bias, Part::kSum));
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    for (int64_t i = 0; i < to.numel(); ++i) {
      const T re = a.data<T>()[i], im = b.data<T>()[i];
      to.data<std::complex<T>>()[i] = {re - im, c.data<T>()[i] - re - im};
    }
  });
}

void Convolution(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                 const Tensor& bias, IntSpan stride, IntSpan padding, IntSpan dilation,
                 bool transposed, IntSpan output_padding, int64_t groups) {
  if (out.numel() == 0) return;
  const ConvolutionParameters c{stride, padding, dilation, output_padding, transposed, groups};
  const DType given = input.dtype();
  if (given == DType::kComplex64) return ComputeComplex<float>(call, out, input, weight, bias, c);
  if (given == DType::kComplex128) return ComputeComplex<double>(call, out, input, weight, bias, c);
  if (given == DType::kBFloat16 && OneDnnMultiplies(DType::kBFloat16) && !transposed) {
    const Tensor x = Dense(input, given), kernels = Dense(weight, given);
    bool done = false;
    IntoDense(out, given, [&](const Tensor& y) {
      const ConvolutionProblem p =
          ConvolutionProblem::Of(x, kernels, y, stride, padding, dilation, groups);
      done = x.numel() != 0 && kernels.numel() != 0 && ByLibrary(p, x, kernels, bias, y);
    });
    if (done) return;
  }
  const DType d = RoundsColumns(given, c, input.dim() - 2) ? given : SummedAs(given);
  IntoDense(out, d, [&](const Tensor& y) {
    ConvolveDense(call, y, Dense(input, d), Dense(weight, d), Dense(bias, d), c);
  });
}

const Kernel kernel{"convolution", "cpu", kNumberTypes, Convolution};

}  // namespace
}  // namespace sy::cpu
