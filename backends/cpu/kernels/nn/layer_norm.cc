#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;  // elements worth a thread

// f(i, input's row, out's row) for rows of n elements.
template <class F>
void ForEachRow(const Tensor& out, const Tensor& input, int64_t n, F f) {
  const DType d = input.dtype();
  const int64_t step = n * static_cast<int64_t>(ItemSize(d));
  const Tensor in = Dense(input, d);
  IntoDense(out, d, [&](const Tensor& to) {
    const int64_t count = to.numel() / n;
    ParallelFor(count, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        f(i, static_cast<const char*>(in.data()) + i * step,
          static_cast<char*>(to.data()) + i * step);
      }
    });
  });
}

// 1 / sqrt(variance + eps), in float where that is what is computed in.
double InverseDeviation(DType wide, double variance, double eps) {
  if (wide == DType::kFloat64) return 1 / std::sqrt(variance + eps);
  return 1 / std::sqrt(static_cast<float>(variance) + static_cast<float>(eps));
}

// stats(i, mean, 1 / deviation) takes what each row has.
template <class F>
void Normalize(const Tensor& out, const Tensor& input, IntSpan shape, const Tensor& weight,
               const Tensor& bias, double eps, F stats) {
  if (out.numel() == 0) return;
  const DType wide = WideOf(input.dtype());
  const Tensor w = Dense(weight, wide), b = Dense(bias, wide);
  const RowLoops& rows = RowsOf(input.dtype());
  const int64_t n = NumElements(shape);
  const size_t count = static_cast<size_t>(n);
  ForEachRow(out, input, n, [&](int64_t i, const void* x, void* y) {
    const RowMoments m = rows.moments(x, count);
    const double factor = InverseDeviation(wide, m.square / static_cast<double>(n), eps);
    rows.normalize(y, x, count, m.mean, factor, w.data(), b.data());
    stats(i, m.mean, factor);
  });
}

void LayerNorm(Call, const Tensor& out, const Tensor& input, IntSpan shape, const Tensor& weight,
               const Tensor& bias, double eps, bool) {
  Normalize(out, input, shape, weight, bias, eps, [](int64_t, double, double) {});
}

void NativeLayerNorm(Call, const Tensor& out, const Tensor& mean, const Tensor& factor,
                     const Tensor& input, IntSpan shape, const Tensor& weight, const Tensor& bias,
                     double eps) {
  const DType wide = WideOf(mean.dtype());
  IntoDense(mean, wide, [&](const Tensor& means) {
    IntoDense(factor, wide, [&](const Tensor& factors) {
      if (input.numel() == 0 && means.numel() != 0) {  // rows without elements
        FillElements(means, Scalar(0));
        FillElements(factors, Scalar(std::numeric_limits<double>::quiet_NaN()));
      }
      Normalize(out, input, shape, weight, bias, eps, [&](int64_t i, double m, double f) {
        if (wide == DType::kFloat64) {
          means.data<double>()[i] = m;
          factors.data<double>()[i] = f;
        } else {
          means.data<float>()[i] = static_cast<float>(m);
          factors.data<float>()[i] = static_cast<float>(f);
        }
      });
    });
  });
}

// The mean of the complex squares, as ATen has it.
template <class T>
void ComplexRmsNorm(const Tensor& out, const Tensor& input, int64_t n, const Tensor& weight,
                    T eps) {
  using C = std::complex<T>;
  const C* w = weight.defined() ? weight.data<C>() : nullptr;
  ForEachRow(out, input, n, [=](int64_t, const void* in, void* to) {
    const C* x = static_cast<const C*>(in);
    C* y = static_cast<C*>(to);
    std::complex<double> sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += std::complex<double>(x[i]) * std::complex<double>(x[i]);
    const C factor = C(1.0 / std::sqrt(sum / static_cast<double>(n) + static_cast<double>(eps)));
    for (int64_t i = 0; i < n; ++i) y[i] = w == nullptr ? x[i] * factor : x[i] * factor * w[i];
  });
}

void RmsNorm(Call, const Tensor& out, const Tensor& input, IntSpan shape, const Tensor& weight,
             Optional<double> eps_or_none) {
  if (out.numel() == 0) return;
  const DType d = input.dtype(), wide = WideOf(d);
  const double eps = eps_or_none.value_or(RealType(wide) == DType::kFloat64
                                              ? std::numeric_limits<double>::epsilon()
                                              : std::numeric_limits<float>::epsilon());
  const Tensor w = Dense(weight, wide);
  const int64_t n = NumElements(shape);
  if (d == DType::kComplex64) return ComplexRmsNorm(out, input, n, w, static_cast<float>(eps));
  if (d == DType::kComplex128) return ComplexRmsNorm(out, input, n, w, eps);
  const RowLoops& rows = RowsOf(d);
  const size_t count = static_cast<size_t>(n);
  ForEachRow(out, input, n, [&](int64_t, const void* x, void* y) {
    const double factor = 1 / std::sqrt(rows.square_sum(x, count) / static_cast<double>(n) + eps);
    rows.normalize(y, x, count, 0, factor, w.data(), nullptr);
  });
}

const Kernel layer_norm{"layer_norm", "cpu", kFloatingTypes, LayerNorm};
const Kernel native_layer_norm{"native_layer_norm", "cpu", kFloatingTypes, NativeLayerNorm};
const Kernel rms_norm{"rms_norm", "cpu", kFloatingTypes | kComplexTypes, RmsNorm};

}  // namespace
}  // namespace sy::cpu
