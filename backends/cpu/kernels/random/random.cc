// Source of the transformations: at::transformation::uniform_int*,
// ATen/core/TransformationHelper.h.
#include <limits>
#include <mutex>
#include <optional>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cpu {
namespace {

// From this many integers on, 64 bits are drawn for each: of 32, some would be more likely than
// others by more than 2^-4. Source: uniform_int_from_to_distribution,
// ATen/core/DistributionsHelper.h.
constexpr uint64_t kWideCount = uint64_t{1} << 28;

template <class T>
T FromInt(int64_t i) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(i));
  } else {
    return static_cast<T>(i);
  }
}

// count 0 stands for 2^64.
template <class T>
void Run(Generator& g, const FillTarget& t, int64_t from, uint64_t count) {
  const auto shifted = [from](uint64_t v) {
    return FromInt<T>(static_cast<int64_t>(v + static_cast<uint64_t>(from)));
  };
  if (count != 0 && count < kWideCount) {
    const uint32_t n32 = static_cast<uint32_t>(count);
    return Fill<T, 1>(g, t, [&](const uint32_t* words, T* x, int64_t n) {
      for (int64_t i = 0; i < n; ++i) x[i] = shifted(words[i] % n32);
    });
  }
  Fill<T, 2>(g, t, [&](const uint32_t* words, T* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t v = uint64_t{words[2 * i]} << 32 | words[2 * i + 1];
      x[i] = shifted(count == 0 ? v : v % count);
    }
  });
}

// Without bounds: 0 to what the dtype holds exactly; 64 bits only where the dtype needs them.
template <class T>
void RunUnbounded(Generator& g, const FillTarget& t) {
  const RandomBounds b = BoundsOfRandom(t.dtype(), 0, std::nullopt);
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double>) {
    Run<T>(g, t, 0, b.count());
  } else {
    const uint32_t count = static_cast<uint32_t>(b.count());
    Fill<T, 1>(g, t, [&](const uint32_t* words, T* x, int64_t n) {
      for (int64_t i = 0; i < n; ++i) x[i] = FromInt<T>(words[i] % count);
    });
  }
}

void Random(Call call, const Tensor& out, const Tensor&, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kRealOrBoolTypes>(out.dtype(),
                               [&](auto tag) { RunUnbounded<typename decltype(tag)::type>(g, t); });
}

void RandomFrom(Call call, const Tensor& out, const Tensor&, int64_t from, Optional<int64_t> to,
                Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const bool any_bits = !to && from == std::numeric_limits<int64_t>::min();
  const RandomBounds b = any_bits ? RandomBounds{from, std::numeric_limits<int64_t>::max()}
                                  : BoundsOfRandom(out.dtype(), from, to);
  const FillTarget t(out);
  VisitDType<kRealOrBoolTypes | kWideUnsignedTypes>(out.dtype(), [&](auto tag) {
    // All 64 bits are taken as they come: 0 to 2^64 wraps to what int64 holds.
    Run<typename decltype(tag)::type>(g, t, any_bits ? 0 : b.from, b.count());
  });
}

void RandomTo(Call call, const Tensor& out, const Tensor& self, int64_t to, Generator* generator) {
  RandomFrom(call, out, self, 0, to, generator);
}

const Kernel random_kernel{"random", "cpu", kRealOrBoolTypes, Random};
const Kernel random_from_kernel{"random.from", "cpu", kRealOrBoolTypes | kWideUnsignedTypes,
                                RandomFrom};
const Kernel random_to_kernel{"random.to", "cpu", kRealOrBoolTypes | kWideUnsignedTypes, RandomTo};

}  // namespace
}  // namespace sy::cpu
