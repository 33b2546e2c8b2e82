// By cuDNN where there is one. Else small and depthwise convolutions directly, an output a thread;
// others as products of the weights with windows as columns, as many samples at a time as there is
// room for. 16-bit floats are summed in float and rounded once, but where ATen rounds more often
// (RoundsColumns).

#include "backends/cuda/kernels/nn/convolution.h"

#include <algorithm>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/product.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/columns.h"
#include "backends/cuda/kernels/nn/dnn_convolution.h"
#include "backends/cuda/kernels/nn/windows.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::cuda {
namespace {

// Multiplications, and those for each element of columns, from which on columns pay.
constexpr int64_t kColumnWork = 1 << 20, kColumnReuse = 8;

class Convolution {
 public:
  Convolution(Call call, const ConvolutionParameters& p, const Tensor& x, const Tensor& weight,
              const Tensor& bias, const Tensor& y)
      : call_(call), bias_(bias), y_(y), transposed_(p.transposed) {
    const Tensor &image = transposed_ ? y : x, &windows = transposed_ ? x : y;
    const Window w = Window::OfConvolution(image, windows, weight, p.stride, p.padding, p.dilation);
    args_.w = WindowsOf(w);
    args_.samples = x.sizes()[0];
    args_.groups = p.groups;
    args_.in = image.sizes()[1] / p.groups;
    args_.out = windows.sizes()[1] / p.groups;
    args_.x = x.data();
    args_.weight = weight.data();
    args_.bias = bias.defined() ? bias.data() : nullptr;
    args_.y = y.data();
    inputs_ = w.input_count();
    outputs_ = w.output_count();
    taps_ = w.kernel[0] * w.kernel[1] * w.kernel[2];
  }

  // rounds: what is added up transposed is rounded each time.
  void Run(bool rounds) {
    const int64_t work = args_.samples * args_.groups * args_.out * args_.in * taps_ * outputs_;
    const bool columns = work >= kColumnWork && args_.out >= kColumnReuse;
    if (transposed_) {
      columns ? AddColumns(rounds) : Add(args_, rounds);
    } else if (columns) {
      MultiplyColumns();
    } else {
      Launch(call_, Specialised("columns", "ConvolutionArgs", "Convolve").Element(y_.dtype()),
             BlocksFor(y_.numel()), args_);
    }
  }

 private:
  int64_t rows() const { return args_.in * taps_; }  // of columns, for each group
  int64_t item() const { return static_cast<int64_t>(y_.itemsize()); }
  // t's elements from `first` on.
  void* From(const void* data, int64_t first) const {
    return const_cast<char*>(static_cast<const char*>(data)) + first * item();
  }
  // Calls f(first sample, samples, room for their columns) for parts of the batch.
  template <class F>
  void ForEachPart(F f) const {
    const int64_t each = args_.groups * rows() * outputs_;
    const int64_t most = std::clamp<int64_t>(kColumnBytes / (each * item()), 1, args_.samples);
    const Tensor columns = Tensor::Empty({most * each}, y_.dtype(), y_.device());
    for (int64_t i = 0; i < args_.samples; i += most)
      f(i, std::min(most, int64_t{args_.samples} - i), columns);
  }
  // The matrices of a group: its weights, [out, rows].
  void* WeightOf(int64_t group) const { return From(args_.weight, group * args_.out * rows()); }
  // A group's part of n samples from `first` on of [samples, groups channels, positions].
  Matrices GroupOf(const void* data, int64_t first, int64_t group, int64_t channels,
                   int64_t positions) const {
    const int64_t all = args_.groups * channels * positions;
    return {From(data, first * all + group * channels * positions), {all, positions, 1}};
  }
  bool IsPointwise() const {
    for (int d = 0; d < 3; ++d) {
      if (args_.w.kernel[d] != 1 || args_.w.stride[d] != 1 || args_.w.padding[d] != 0) return false;
    }
    return true;
  }

  void MultiplyColumns() const {
    if (IsPointwise()) return MultiplyPart(0, args_.samples, args_.x);
    ForEachPart([&](int64_t first, int64_t n, const Tensor& columns) {
      const int64_t planes = args_.groups * args_.in;
      ToColumns(call_, y_.dtype(),
                {args_.w, n * planes, From(args_.x, first * planes * inputs_), columns.data(), {}});
      MultiplyPart(first, n, columns.data());
    });
  }
  void MultiplyPart(int64_t first, int64_t n, const void* columns) const {
    const int64_t channels = args_.groups * args_.out;
    for (int64_t g = 0; g < args_.groups; ++g) {
      const Matrices to = GroupOf(args_.y, first, g, args_.out, outputs_);
      const int64_t sizes[] = {n, args_.out, outputs_},
                    strides[] = {channels * outputs_, outputs_, 1};
      const Tensor part = y_.AsStrided(
          sizes, strides, y_.storage_offset() + first * strides[0] + g * args_.out * outputs_);
      const Matrices weights{WeightOf(g), {0, rows(), 1}};
      const Matrices from = GroupOf(columns, 0, g, rows(), outputs_);
      const ProductSizes size{n, args_.out, outputs_, rows()};
      if (!bias_.defined()) {
        RunProduct(call_, part, size, to, weights, from);
        continue;
      }
      const int64_t column[] = {args_.out, 1}, step[] = {bias_.strides()[0], 1};
      const Tensor added = bias_.AsStrided(
          column, step, bias_.storage_offset() + g * args_.out * bias_.strides()[0]);
      const Addend x{added, MatricesOf(added), 1};
      RunProduct(call_, part, size, to, weights, from, &x);
    }
  }

  void Add(ConvolutionArgs args, bool rounds) const {
    ConvolveTransposed(call_, y_.dtype(), args, rounds);
  }
  void AddColumns(bool rounds) const {
    ForEachPart([&](int64_t first, int64_t n, const Tensor& columns) {
      for (int64_t g = 0; g < args_.groups; ++g) {
        const Matrices to = GroupOf(columns.data(), 0, g, rows(), outputs_);
        const int64_t sizes[] = {n, rows(), outputs_};
        const Tensor part = columns.AsStrided(sizes, to.strides, g * rows() * outputs_);
        const Matrices weights{WeightOf(g), {0, 1, rows()}};
        RunProduct(call_, part, {n, rows(), outputs_, args_.out}, to, weights,
                   GroupOf(args_.x, first, g, args_.out, outputs_));
      }
      ConvolutionArgs args = args_;
      args.samples = n;
      args.columns = columns.data();
      args.y = From(args_.y, first * args_.groups * args_.in * inputs_);
      Add(args, rounds);
    });
  }

  Call call_;
  const Tensor &bias_, &y_;
  bool transposed_;
  ConvolutionArgs args_{};
  int64_t inputs_, outputs_, taps_;
};

}  // namespace

void ConvolveReal(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                  const Tensor& bias, const ConvolutionParameters& p, bool rounds) {
  if (DnnConvolve(call, out, input, weight, bias, p)) return;
  const DType given = input.dtype();
  const bool widens = p.transposed && !rounds && Contains(kHalfTypes, given);
  const DType d = widens ? DType::kFloat32 : given;
  const Tensor x = Dense(call, input, d), kernels = Dense(call, weight, d),
               added = Dense(call, bias, d);
  IntoDense(call, out, d,
            [&](const Tensor& y) { Convolution(call, p, x, kernels, added, y).Run(rounds); });
}

namespace {

// Three real ones: of the real parts, of the imaginary ones, and of their sums. Source:
// complex_convolution, ATen/native/Convolution.cpp.
void ConvolveComplex(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                     const Tensor& bias, const ConvolutionParameters& p) {
  const DType real = RealType(out.dtype());
  const Call of_parts{call.kernel, WithDType(call.key, real)};
  const auto part = [&](const FormulaDef& which, const Tensor& t) {
    if (!t.defined()) return t;
    const Tensor to = Tensor::Empty(t.sizes(), real, t.device());
    RunFormula(call, which, to, {&t});
    return to;
  };
  const auto convolve = [&](const FormulaDef& which, const Tensor& b) {
    const Tensor y = Tensor::Empty(out.sizes(), real, out.device());
    ConvolveReal(of_parts, y, part(which, input), part(which, weight), b, p, false);
    return y;
  };
  const FormulaDef &re = kFormula<f::RealPart>, &sum = kFormula<f::SumOfParts>;
  const Tensor a = convolve(re, part(re, bias)), b = convolve(kFormula<f::ImaginaryPart>, Tensor()),
               c = convolve(sum, part(sum, bias));
  RunFormula(of_parts, kFormula<f::ComplexOfThree>, out, {&a, &b, &c});
}

void Convolve(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
              const Tensor& bias, IntSpan stride, IntSpan padding, IntSpan dilation,
              bool transposed, IntSpan output_padding, int64_t groups) {
  if (out.numel() == 0) return;
  const ConvolutionParameters p{stride, padding, dilation, output_padding, transposed, groups};
  if (IsComplex(input.dtype())) return ConvolveComplex(call, out, input, weight, bias, p);
  ConvolveReal(call, out, input, weight, bias, p, RoundsColumns(input.dtype(), p, input.dim() - 2));
}

const Kernel convolution{"convolution", "cuda", kNumberTypes, Convolve};

}  // namespace
}  // namespace sy::cuda
