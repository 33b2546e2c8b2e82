// Source: _rrelu_with_noise_train, ATen/native/Activation.cpp: a number of 53 bits for each element
// that is not positive, in the order of a contiguous tensor.
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {
namespace {

void Rrelu(Call call, const Tensor& out, const Tensor& self, const Scalar& lower,
           const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  const double from = lower.To<double>(), to = upper.To<double>(), mean = (from + to) / 2;
  const Tensor in = Dense(self, DType::kFloat64);
  IntoDense(out, DType::kFloat64, [&](const Tensor& result) {
    const double* x = in.data<double>();
    double* y = result.data<double>();
    if (!training) {
      for (int64_t i = 0; i < in.numel(); ++i) y[i] = x[i] > 0 ? x[i] : x[i] * mean;
      return;
    }
    Generator& g = GeneratorOf(call, generator);
    std::lock_guard lock(g.mutex());
    for (int64_t i = 0; i < in.numel(); ++i) {
      y[i] = x[i];
      if (x[i] > 0 || x[i] != x[i]) continue;
      uint32_t words[2];
      g.Draw(words);
      y[i] = x[i] * (UniformDouble(words) * (to - from) + from);
    }
  });
}

const Kernel kernel{"rrelu", "cpu", kFloatingTypes, Rrelu};

}  // namespace
}  // namespace sy::cpu
