// What a reduction walks over: the dimensions that are kept, which are the outputs', and those that
// are reduced.
//
//   const ReduceSpace space(self, DimMask(dim), {{&values, &indices}}, /*positions=*/true);
//
// An index space whose dimensions 0 … kept - 1 are kept and whose others are reduced; each part is
// coalesced and has at least one dimension. Operand 0 is self, then come the outputs, then, where
// positions are asked for, one whose strides are positions in the reduced dimensions, in row-major
// order.
// Owns: nothing; tensors must outlive it. Threads: one writer; any number may read it.
#ifndef SWITCHYARD_BACKENDS_COMMON_REDUCE_SPACE_H_
#define SWITCHYARD_BACKENDS_COMMON_REDUCE_SPACE_H_

#include <optional>
#include <span>

#include "switchyard/backends/common/index_space.h"

namespace sy {

inline constexpr uint64_t kAllDims = ~uint64_t{0};
// A bit for each dimension of a list whose dimensions are wrapped, as shape functions leave them.
// None given, or an empty list: all.
inline uint64_t DimMask(std::optional<IntSpan> dims) {
  if (!dims || dims->empty()) return kAllDims;
  uint64_t mask = 0;
  for (int64_t d : *dims) mask |= uint64_t{1} << d;
  return mask;
}
inline uint64_t DimMask(int64_t dim) { return uint64_t{1} << dim; }

// What becomes of a reduction's result, of `count` elements, at the end.
struct ReduceFinish {
  enum Kind : uint8_t {
    kNothing,
    kMean,  // sum / count
    kSquareRoot,
    kRoot,       // x^(1 / parameter)
    kVariance,   // of moments: squares / max(0, count - parameter), NaN without elements, as the
                 // mean is
    kDeviation,  // its square root
  };
  Kind kind = kNothing;
  double parameter = 0;
};

struct ReduceSpace : IndexSpace {
  int kept = 0;

  // mask: the dimensions of self that are reduced. An output has self's dimensions but for the
  // reduced ones, which it lacks or has as 1; at least one is not null, of at most two.
  ReduceSpace(const Tensor& self, uint64_t mask, std::span<const Tensor* const> outputs,
              bool positions);
  // One of the two parts, as a space of its own.
  IndexSpace Kept() const { return Part(0, kept); }
  IndexSpace Reduced() const { return Part(kept, rank); }

 private:
  IndexSpace Part(int first, int last) const;
  void AddOne(int d);
  int CoalescePart(int first, int last);
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_REDUCE_SPACE_H_
