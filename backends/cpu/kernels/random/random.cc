// Source of the transformations: at::transformation::uniform_int*,
// ATen/core/TransformationHelper.h.
#include <mutex>
#include <optional>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cpu {
namespace {

template <class T>
T FromInt(int64_t i) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(i));
  } else {
    return static_cast<T>(i);
  }
}

template <class T>
void Run(Generator& g, const FillTarget& t, const RandomDraw& draw) {
  const auto shifted = [from = draw.from](uint64_t v) {
    return FromInt<T>(static_cast<int64_t>(v + static_cast<uint64_t>(from)));
  };
  const uint64_t count = draw.count;
  if (!draw.wide) {
    const auto n32 = static_cast<uint32_t>(count);
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

void Draw(const Call& call, const Tensor& out, const RandomDraw& draw, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kRealOrBoolTypes | kWideUnsignedTypes>(
      out.dtype(), [&](auto tag) { Run<typename decltype(tag)::type>(g, t, draw); });
}

void Random(Call call, const Tensor& out, const Tensor&, Generator* generator) {
  Draw(call, out, DrawOf(out.dtype()), generator);
}
void RandomFrom(Call call, const Tensor& out, const Tensor&, int64_t from, Optional<int64_t> to,
                Generator* generator) {
  Draw(call, out, DrawOf(out.dtype(), from, to), generator);
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
