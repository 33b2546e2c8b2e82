// Source: _rrelu_with_noise_train, ATen/native/Activation.cpp: a number of 53 bits for each element
// that is not positive, in the order of a contiguous tensor.
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {
namespace {

// noise: what elements are multiplied by in training; null: not asked for.
void Draw(Call call, const Tensor& out, const Tensor& self, double from, double to,
          Generator* generator, double* noise) {
  const Tensor in = Dense(self, DType::kFloat64);
  IntoDense(out, DType::kFloat64, [&](const Tensor& result) {
    const double* x = in.data<double>();
    double* y = result.data<double>();
    Generator& g = GeneratorOf(call, generator);
    std::lock_guard lock(g.mutex());
    for (int64_t i = 0; i < in.numel(); ++i) {
      double factor = 1;
      if (x[i] <= 0) {
        uint32_t words[2];
        g.Draw(words);
        factor = UniformDouble(words) * (to - from) + from;
      }
      y[i] = x[i] * factor;
      if (noise != nullptr) noise[i] = factor;
    }
  });
}
void Scale(const Tensor& out, const Tensor& self, double mean) {
  const Tensor in = Dense(self, DType::kFloat64);
  IntoDense(out, DType::kFloat64, [&](const Tensor& result) {
    const double* x = in.data<double>();
    double* y = result.data<double>();
    for (int64_t i = 0; i < in.numel(); ++i) y[i] = x[i] > 0 ? x[i] : x[i] * mean;
  });
}

void Rrelu(Call call, const Tensor& out, const Tensor& self, const Scalar& lower,
           const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  const double from = lower.To<double>(), to = upper.To<double>();
  if (!training) return Scale(out, self, (from + to) / 2);
  Draw(call, out, self, from, to, generator, nullptr);
}
void RreluWithNoise(Call call, const Tensor& out, const Tensor& self, const Tensor& noise,
                    const Scalar& lower, const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  const double from = lower.To<double>(), to = upper.To<double>();
  if (!training) return Scale(out, self, (from + to) / 2);
  IntoDense(noise, DType::kFloat64, [&](const Tensor& factors) {
    Draw(call, out, self, from, to, generator, factors.data<double>());
  });
}

const Kernel rrelu{"rrelu", "cpu", kFloatingTypes, Rrelu};
const Kernel rrelu_with_noise{"rrelu_with_noise", "cpu", kFloatingTypes, RreluWithNoise};

}  // namespace
}  // namespace sy::cpu
