// Source of the transformations: at::transformation::uniform_real,
// ATen/core/TransformationHelper.h; the fused multiply-add is what its AVX2 build does.
#include <cmath>
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "backends/cpu/random/widest.h"

namespace sy::cpu {
namespace {

SY_INLINE void Doubles(const uint32_t* words, double* x, int64_t n, double from, double range) {
  for (int64_t i = 0; i < n; ++i) x[i] = std::fma(UniformDouble(words + 2 * i), range, from);
}
SY_INLINE void Floats(const uint32_t* words, float* x, int64_t n, float from, float range) {
  for (int64_t i = 0; i < n; ++i) x[i] = std::fma(UniformFloat(words[i]), range, from);
}
// kBits: of T's significand.
template <class T, int kBits>
SY_INLINE void Halves(const uint32_t* words, T* x, int64_t n, float from, float range) {
  constexpr uint32_t kSteps = 1u << kBits;
  for (int64_t i = 0; i < n; ++i) {
    const float u = static_cast<float>(static_cast<int32_t>(words[i] & (kSteps - 1))) / kSteps;
    x[i] = T(std::fma(u, range, from));
  }
}

template <class T, auto kLoop, int kWords>
void Run(Generator& g, const FillTarget& t, double from, double to) {
  using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const T low = static_cast<T>(static_cast<Compute>(from)),
          high = static_cast<T>(static_cast<Compute>(to));
  const Compute first = static_cast<Compute>(low);
  const Compute range = static_cast<Compute>(T(static_cast<Compute>(high) - first));
  Fill<T, kWords>(g, t, [&](const uint32_t* words, T* x, int64_t n) {
    Widest<kLoop>(words, x, n, first, range);
  });
}

void Uniform(Call call, const Tensor& out, const Tensor&, double from, double to,
             Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  switch (t.dtype()) {
    case DType::kFloat64:
      return Run<double, Doubles, 2>(g, t, from, to);
    case DType::kFloat32:
      return Run<float, Floats, 1>(g, t, from, to);
    case DType::kFloat16:
      return Run<Half, Halves<Half, 11>, 1>(g, t, from, to);
    default:
      return Run<BFloat16, Halves<BFloat16, 8>, 1>(g, t, from, to);
  }
}

const Kernel kernel{"uniform", "cpu", kFloatingTypes | kComplexTypes | Bit(DType::kComplex32),
                    Uniform};

}  // namespace
}  // namespace sy::cpu
