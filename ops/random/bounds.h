// The integers that random_ draws from.
//
//   const RandomDraw draw = DrawOf(out.dtype(), from, to);
//
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OPS_RANDOM_BOUNDS_H_
#define SWITCHYARD_OPS_RANDOM_BOUNDS_H_

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "switchyard/core/dtype.h"
#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"

namespace sy {

// from … last, both included.
struct RandomBounds {
  int64_t from, last;
  // How many integers there are; 0 stands for 2^64.
  uint64_t count() const { return static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1; }
};

namespace internal {

// Bits of the significand, the leading one included; 64 and more where every int64 is exact.
inline int SignificandBits(DType d) {
  switch (d) {
    case DType::kFloat16:
      return 11;
    case DType::kBFloat16:
      return 8;
    case DType::kFloat32:
      return 24;
    case DType::kFloat64:
      return 53;
    default:
      return 64;
  }
}

inline int64_t RoundTrip(int64_t i, DType d) {
  const double rounded = VisitDType<kFloatingTypes>(d, [i](auto tag) {
    using T = typename decltype(tag)::type;
    using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return static_cast<double>(static_cast<Compute>(T(static_cast<Compute>(i))));
  });
  return Scalar(rounded).To<int64_t>();  // out of range: the smallest
}

// The distance of d's neighbours near i.
inline int64_t Spacing(int64_t i, DType d) {
  const uint64_t magnitude = i < 0 ? -static_cast<uint64_t>(i) : static_cast<uint64_t>(i);
  const int log2 = 63 - std::countl_zero(magnitude | 1);
  return int64_t{1} << (log2 - SignificandBits(d) + 1);
}

}  // namespace internal

// Of random_.from and random_.to: bounds of floating tensors move inwards to numbers that the dtype
// holds, so that rounding leaves [from, to). from < to. Source: update_from and update_to of
// ATen/native/DistributionTemplates.h.
inline RandomBounds BoundsOfRandom(DType d, int64_t from, std::optional<int64_t> to) {
  const bool floating = Contains(kFloatingTypes, d);
  if (floating) {
    const int64_t second = static_cast<int64_t>(static_cast<uint64_t>(from) + 1);
    const int64_t next = internal::RoundTrip(second, d);
    if (next < from) from = next + internal::Spacing(second, d);
  }
  if (to) {
    int64_t end = *to;
    if (floating) {
      const int64_t last = internal::RoundTrip(end - 1, d);
      if (last >= end) end = last - internal::Spacing(end - 1, d);
    }
    return {from, end - 1};
  }
  if (floating) return {from, int64_t{1} << internal::SignificandBits(d)};
  int64_t last = std::numeric_limits<int64_t>::max();
  if (d == DType::kBool) {
    last = 1;
  } else if (ItemSize(d) < 8) {
    last = (int64_t{1} << (8 * ItemSize(d) - (IsSigned(d) ? 1 : 0))) - 1;
  }
  return {from, last};
}

// How integers are drawn: words of the generator's stream modulo `count`, from `from` on.
struct RandomDraw {
  int64_t from;
  uint64_t count;  // 0 stands for 2^64: words are taken as they come
  bool wide;       // 64 bits for each, not 32
};

// random_: from 0 to what the dtype holds exactly.
inline RandomDraw DrawOf(DType d) {
  return {0, BoundsOfRandom(d, 0, std::nullopt).count(),
          d == DType::kInt64 || d == DType::kFloat64};
}
// random_.from and random_.to. The smallest int64 without an end stands for all of them. From 2^28
// integers on, 64 bits are drawn: of 32, some would be more likely than others by more than 2^-4.
// Source: uniform_int_from_to_distribution, ATen/core/DistributionsHelper.h.
inline RandomDraw DrawOf(DType d, int64_t from, std::optional<int64_t> to) {
  if (!to && from == std::numeric_limits<int64_t>::min()) return {0, 0, true};
  const RandomBounds b = BoundsOfRandom(d, from, to);
  const uint64_t count = b.count();
  return {b.from, count, count == 0 || count >= uint64_t{1} << 28};
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_RANDOM_BOUNDS_H_
