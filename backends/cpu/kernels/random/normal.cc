// Two ways, as in ATen: contiguous tensors of 16 elements or more in blocks of 16, others in
// sequence. Which way decides the numbers. Source: normal_kernel,
// ATen/native/cpu/DistributionTemplates.h.
#include "backends/cpu/random/normal.h"

#include <mutex>

#include "backends/cpu/random/box_muller.h"
#include "backends/cpu/random/widest.h"

namespace sy::cpu {
namespace {

void Uniforms(Generator& g, double* x, int64_t n) {
  uint32_t words[2 * kFillChunk];
  g.Draw({words, static_cast<size_t>(2 * n)});
  for (int64_t i = 0; i < n; ++i) x[i] = UniformDouble(words + 2 * i);
}
void Uniforms(Generator& g, float* x, int64_t n) {
  uint32_t words[kFillChunk];
  g.Draw({words, static_cast<size_t>(n)});
  for (int64_t i = 0; i < n; ++i) x[i] = UniformFloat(words[i]);
}
template <class T>
void Uniforms(Generator& g, T* x, int64_t n) {
  constexpr uint32_t kSteps = std::is_same_v<T, Half> ? 1 << 11 : 1 << 8;  // of the significand
  uint32_t words[kFillChunk];
  g.Draw({words, static_cast<size_t>(n)});
  for (int64_t i = 0; i < n; ++i) {
    x[i] = T(static_cast<float>(words[i] & (kSteps - 1)) / static_cast<float>(kSteps));
  }
}

// n: a multiple of 16.
template <class T>
SY_INLINE void Blocks(T* x, int64_t n, T mean, T std) {
  for (int64_t i = 0; i < n; i += 16) Normals16(x + i, mean, std);
}

template <class T>
void InBlocks(Generator& g, T* x, int64_t n, T mean, T std) {
  for (int64_t at = 0; at < n; at += kFillChunk) {
    const int64_t m = std::min(kFillChunk, n - at);
    Uniforms(g, x + at, m);
    Widest<Blocks<T>>(x + at, m & ~int64_t{15}, mean, std);
  }
  if (n % 16 == 0) return;
  // The last 16 once more, from words of their own.
  Uniforms(g, x + n - 16, 16);
  Widest<Blocks<T>>(x + n - 16, int64_t{16}, mean, std);
}

template <class T>
void Run(Generator& g, const FillTarget& t, double mean, double std) {
  using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
  if (t.numel() >= 16 && t.is_contiguous()) {
    return InBlocks(g, t.data<T>(), t.numel(), T(static_cast<Compute>(mean)),
                    T(static_cast<Compute>(std)));
  }
  NormalSequence normal(g);
  FillChunks<T>(t, [&](T* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      x[i] = T(static_cast<Compute>(std::fma(normal.Next(), std, mean)));
  });
}

void Normal(Call call, const Tensor& out, const Tensor&, double mean, double std,
            Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  // Real and imaginary part have half of the variance each.
  if (IsComplex(out.dtype())) std /= std::sqrt(2.0);
  VisitDType<kFloatingTypes>(t.dtype(),
                             [&](auto tag) { Run<typename decltype(tag)::type>(g, t, mean, std); });
}

const Kernel kernel{"normal_", "cpu", kFloatingTypes | kComplexTypes | Bit(DType::kComplex32),
                    Normal};

}  // namespace
}  // namespace sy::cpu
