// What kernels of quantised tensors share: how their elements lie in memory.
#ifndef BACKENDS_CPU_KERNELS_QUANTIZED_AFFINE_H_
#define BACKENDS_CPU_KERNELS_QUANTIZED_AFFINE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {

inline constexpr int64_t kWork = 1 << 16;  // elements, or products, worth a thread

// Uninitialised, the dimensions in memory in t's order, without gaps.
inline Tensor EmptyAs(const Tensor& t, DType dtype) {
  std::vector<int64_t> strides(t.sizes().size());
  PreservedStrides(t.sizes(), t.strides(), strides.data());
  return Tensor::EmptyStrided(t.sizes(), strides, dtype);
}
// t without gaps.
inline Tensor WithoutGaps(const Tensor& t) {
  if (t.is_non_overlapping_and_dense()) return t;
  const Tensor copy = EmptyAs(t, t.dtype());
  if (t.numel() != 0) CopyElements(copy, t);
  return copy;
}

// As ATen, of 32 bits in double; NaN gives the highest of 8 bits and the lowest of 32. steps: a
// number over its scale.
template <class T>
T IntegerFor(float steps, int64_t zero) {
  using Wide = std::conditional_t<sizeof(T) == 4, double, float>;
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  const Wide moved = std::nearbyint(static_cast<Wide>(steps)) + static_cast<Wide>(zero);
  if (std::isnan(moved)) return sizeof(T) == 4 ? kLow : kHigh;
  if (moved <= static_cast<Wide>(kLow)) return kLow;
  return moved >= static_cast<Wide>(kHigh) ? kHigh : static_cast<T>(moved);
}

// Elements in memory as [outer, channels, inner]; those of one scale for all as one channel.
struct Segments {
  int64_t outer, channels, inner;
};
// t: without gaps, with elements.
inline Segments SegmentsOf(const Tensor& t, const Quantizer& by) {
  const int64_t n = by.per_channel() ? t.sizes()[static_cast<size_t>(by.axis)] : 1;
  if (n == 1) return {1, 1, t.numel()};
  const int64_t inner = t.strides()[static_cast<size_t>(by.axis)];
  return {t.numel() / (n * inner), n, inner};
}

// f(first, last, channel, each) for runs of elements from first to last, of one channel, or, where
// channels are innermost, each of another, the first one's being `channel`. Several threads call f.
template <class F>
void ForEachSegment(const Segments& s, F f) {
  if (s.channels == 1) {
    return ParallelFor(s.inner, kWork,
                       [&](int64_t first, int64_t last) { f(first, last, 0, false); });
  }
  const bool lines = s.inner == 1;
  const int64_t size = lines ? s.channels : s.inner;
  ParallelFor(lines ? s.outer : s.outer * s.channels, std::max<int64_t>(1, kWork / size),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i) {
                  f(i * size, (i + 1) * size, lines ? 0 : i % s.channels, lines);
                }
              });
}

}  // namespace sy::cpu

#endif  // BACKENDS_CPU_KERNELS_QUANTIZED_AFFINE_H_
