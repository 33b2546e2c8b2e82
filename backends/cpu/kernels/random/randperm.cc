// Fisher-Yates, as ATen draws it. Source: randperm_cpu, ATen/native/TensorFactories.cpp.
#include <limits>
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cpu {
namespace {

// Below this many, 32 bits are even enough for a remainder; above, 64 are drawn.
constexpr int64_t kWide = std::numeric_limits<uint32_t>::max() / 20;

// Calls f(i, word) for i from 0 on below n.
template <class F>
void ForEachWord(Generator& g, int64_t n, F f) {
  uint32_t words[kFillChunk];
  for (int64_t at = 0; at < n; at += kFillChunk) {
    const int64_t m = std::min(kFillChunk, n - at);
    g.Draw({words, static_cast<size_t>(m)});
    for (int64_t i = 0; i < m; ++i) f(at + i, words[i]);
  }
}

template <class T>
void Shuffle(Generator& g, T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = Scalar(i).To<T>();
  if (n < kWide) {
    ForEachWord(g, n - 1, [&](int64_t i, uint32_t word) {
      std::swap(x[i], x[i + word % static_cast<uint32_t>(n - i)]);
    });
    return;
  }
  for (int64_t i = 0; i < n - 1; ++i) {
    std::swap(x[i], x[i + static_cast<int64_t>(g.random64() % static_cast<uint64_t>(n - i))]);
  }
}

void Randperm(Call call, const Tensor& out, int64_t n, Generator* generator, Optional<DType>,
              Optional<Layout>, Optional<Device>, Optional<bool>) {
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  VisitDType<kRealTypes>(
      out.dtype(), [&](auto tag) { Shuffle(g, out.data<typename decltype(tag)::type>(), n); });
}

const Kernel kernel{"randperm.generator", "cpu", kRealTypes, Randperm};

}  // namespace
}  // namespace sy::cpu
