// Rows for the input; for weight and bias, columns of the rows of each part, whose sums are added
// in the parts' order, however many threads there are.
#include <algorithm>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "backends/cpu/kernels/nn/norm_backward.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cpu {
namespace {

constexpr int64_t kPartElements = 1 << 16, kMostParts = 64;

// Dense operands.
struct Rows {
  const RowLoops& loops;
  int64_t count, n, step;  // step: bytes of a row
  const char *grad, *in;
  const double *mean, *factor;
};

void ToInput(const Rows& r, const Tensor& weight, const Tensor& to) {
  const auto n = static_cast<size_t>(r.n);
  const void* w = weight.data();
  char* out = static_cast<char*>(to.data());
  ParallelFor(r.count, std::max<int64_t>(1, kNormGrain / r.n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const char *g = r.grad + i * r.step, *x = r.in + i * r.step;
      const double mean = r.mean[i], factor = r.factor[i];
      const InputGradient to_x(factor, r.loops.slopes(g, x, n, mean, w), static_cast<double>(r.n));
      r.loops.normalize_backward(out + i * r.step, g, x, n, mean, factor, to_x.slope, to_x.shift,
                                 w);
    }
  });
}

// to = the sum of parts, [parts, n] of T.
template <class T>
void AddParts(const Tensor& parts, const Tensor& to) {
  const int64_t count = parts.size(0), n = parts.size(1);
  const T* from = parts.data<T>();
  IntoDense(to, parts.dtype(), [&](const Tensor& dense) {
    T* sums = dense.data<T>();
    ParallelFor(n, std::max<int64_t>(1, kNormGrain / count), [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        double sum = 0;
        for (int64_t p = 0; p < count; ++p) sum += static_cast<double>(from[p * n + j]);
        sums[j] = static_cast<T>(sum);
      }
    });
  });
}

void ToParameters(const Rows& r, DType wide, const Tensor& weight, const Tensor& bias) {
  const int64_t parts =
      std::clamp<int64_t>(r.count * r.n / kPartElements, 1, std::min(kMostParts, r.count));
  const auto room = [&](const Tensor& t) {
    if (!t.defined()) return Tensor();
    Tensor sums = Tensor::Empty({parts, r.n}, wide);
    FillElements(sums, Scalar(0));
    return sums;
  };
  const Tensor weights = room(weight), biases = room(bias);
  const int64_t step = r.n * static_cast<int64_t>(ItemSize(wide));
  const auto part_of = [&](const Tensor& t, int64_t p) {
    return t.defined() ? static_cast<char*>(t.data()) + p * step : nullptr;
  };
  ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      void *w = part_of(weights, p), *b = part_of(biases, p);
      for (int64_t i = r.count * p / parts; i < r.count * (p + 1) / parts; ++i) {
        r.loops.add_slopes(w, b, r.grad + i * r.step, r.in + i * r.step, static_cast<size_t>(r.n),
                           r.mean[i], r.factor[i]);
      }
    }
  });
  const auto add = [&](const Tensor& t, const Tensor& to) {
    if (!to.defined()) return;
    wide == DType::kFloat64 ? AddParts<double>(t, to) : AddParts<float>(t, to);
  };
  add(weights, weight);
  add(biases, bias);
}

Gradients LayerNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            IntSpan normalized_shape, const Tensor& mean, const Tensor& rstd,
                            const Tensor& weight, const Tensor& bias, OutputMask output_mask) {
  Gradients made = LayerNormGradients(call, grad_out, input, normalized_shape, mean, rstd, weight,
                                      bias, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    FillIfAsked(to_weight, 0);
    FillIfAsked(to_bias, 0);
    return made;
  }
  const DType d = input.dtype(), wide = WideOf(d);
  const Tensor g = Dense(grad_out, d), x = Dense(input, d), means = Dense(mean, DType::kFloat64),
               factors = Dense(rstd, DType::kFloat64);
  const int64_t n = NumElements(normalized_shape);
  const Rows rows{RowsOf(d),
                  input.numel() / n,
                  n,
                  n * static_cast<int64_t>(ItemSize(d)),
                  static_cast<const char*>(g.data()),
                  static_cast<const char*>(x.data()),
                  means.data<double>(),
                  factors.data<double>()};
  if (to_input.defined()) ToInput(rows, Dense(weight, wide), to_input);
  if (to_weight.defined() || to_bias.defined()) ToParameters(rows, wide, to_weight, to_bias);
  return made;
}

const Kernel kernel{"native_layer_norm_backward", "cpu", kFloatingTypes, LayerNormBackward};

}  // namespace
}  // namespace sy::cpu
