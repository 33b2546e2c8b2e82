// Sizes and strides: broadcasting, wrapping of dimensions, inference, layouts. What shape functions
// are written with.
//
//   int64_t out[kMaxRank];
//   const int rank = Broadcast(a.sizes(), b.sizes(), out, "add");     // [2, 1] and [3]: [2, 3]
//
// Sizes and strides count elements. Results go to arrays of the caller with room for kMaxRank
// entries. op: the operator's name, for the message. Lists of sizes have at most kMaxRank entries;
// strides have as many as sizes.
//
// For instance:
//
//   Broadcast([2, 1], [3])               [2, 3]
//   Broadcast([5, 1, 4], [3, 1])         [5, 3, 4]
//   Broadcast([0], [1])                  [0]
//   InferSize([-1, 3], 12)               [4, 3]
//   ContiguousStrides([2, 3, 4, 5])      [60, 20, 5, 1]
//   FormatStrides of channels last       [60, 1, 15, 3]
//   ViewStrides of sizes [2, 6], strides [6, 1], as [3, 4]       [4, 1]
//   ViewStrides of sizes [6, 2], strides [1, 6], as [12]         false
//   PreservedStrides([2, 3], [6, 2])     [3, 1]
// Owns: nothing.
// Threads: any.
// Errors: kOutOfRange for dimensions, kInvalidArgument for sizes that do not fit.
#ifndef SWITCHYARD_CORE_SHAPE_H_
#define SWITCHYARD_CORE_SHAPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/core/macros.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/core/sizes.h"

namespace sy {

[[noreturn]] SY_API SY_COLD void FailDimRange(int64_t dim, int64_t rank);
// dim in -rank … rank-1 → 0 … rank-1. A 0-dim tensor counts as having one dimension.
// Errors: kOutOfRange, naming the range. ATen's maybe_wrap_dim.
inline int64_t WrapDim(int64_t dim, int64_t rank) {
  const int64_t n = rank == 0 ? 1 : rank;
  if (dim < -n || dim >= n) [[unlikely]]
    FailDimRange(dim, rank);
  return dim < 0 ? dim + n : dim;
}
// A bit per dimension; all bits when dims is empty or absent. Dimensions are wrapped. Errors:
// kOutOfRange for one out of range; kInvalidArgument for one named twice.
SY_API uint64_t DimMask(std::optional<IntSpan> dims, int64_t rank, std::string_view op);

// The product of the sizes, 1 of none, 0 if one is 0. Errors: kInvalidArgument past 2^63 - 1, also
// where another size is 0.
SY_API int64_t NumElements(IntSpan sizes);  // Errors: kInvalidArgument past 2^63.
// Elements from the first to one past the last, 0 when empty. Errors: kInvalidArgument for negative
// entries and overflow; of empty tensors too, whose strides are walked.
SY_API int64_t StorageExtent(IntSpan sizes, IntSpan strides);
// Row-major: the last is 1; a size of 0 counts as 1. Products wrap around: a tensor of such sizes
// is refused elsewhere.
SY_API void ContiguousStrides(IntSpan sizes, int64_t* strides);
// Dense strides in the format's order; kContiguous and kPreserve: row-major. format: kChannelsLast
// needs 4 sizes, kChannelsLast3d 5. Errors: kInvalidArgument otherwise.
SY_API void FormatStrides(IntSpan sizes, MemoryFormat format, int64_t* strides);
// Equal in length and in every entry.
inline bool SameSizes(IntSpan a, IntSpan b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// Whether the elements fill a run of memory, in whatever order of dimensions; empty tensors do.
SY_API bool IsNonOverlappingAndDense(IntSpan sizes, IntSpan strides);
// Dense in the format's order; false for another rank. Sizes of 1 may have any stride.
SY_API bool IsChannelsLastContiguous(IntSpan sizes, IntSpan strides, MemoryFormat format);
// ATen's looser test, by which outputs are given channels-last strides: gaps are allowed, sizes of
// 1 count. False for another rank.
SY_API bool IsChannelsLastStrides(IntSpan sizes, IntSpan strides, MemoryFormat format);

// Common size of two operands, from the last dimension on: equal or 1; missing ones count as 1. A
// size of 0 stays 0 beside 1. Returns the rank, the larger of the two; out has that many entries.
// Errors: kInvalidArgument naming both. ATen's infer_size.
SY_API int Broadcast(IntSpan a, IntSpan b, int64_t* out, std::string_view op);
// Whether `from` can be expanded to `to`: as Broadcast, but only `from` may have sizes of 1.
SY_API bool IsExpandable(IntSpan from, IntSpan to);

// Replaces one -1 in `sizes` by what makes the product `numel`; without a -1 the product must be
// numel. out: as many entries as sizes. Errors: kInvalidArgument as ATen's view: two -1, other
// negative sizes, no size or every size that fits.
SY_API void InferSize(IntSpan sizes, int64_t numel, int64_t* out, std::string_view op);
// Strides by which a tensor can be seen with other sizes without a copy; false if it cannot. The
// products of both are numel. Source: ATen's computeStride.
SY_API bool ViewStrides(IntSpan old_sizes, IntSpan old_strides, int64_t numel, IntSpan new_sizes,
                        int64_t* new_strides);
// Dense strides in the order of an existing tensor's: what empty_like(preserve_format) gives. The
// strides themselves where they have no gaps.
SY_API void PreservedStrides(IntSpan sizes, IntSpan strides, int64_t* out);

}  // namespace sy

#endif  // SWITCHYARD_CORE_SHAPE_H_
