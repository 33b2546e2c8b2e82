// Sizes and strides: broadcasting, wrapping of dimensions, inference, layouts. What shape rules are
// written with.
//
// Sizes and strides count elements. Results go to arrays of the caller with room for kMaxRank
// entries.
// Threads: any.
// Errors: kOutOfRange for dimensions, kInvalidArgument for sizes that do not fit.
#ifndef SWITCHYARD_CORE_SHAPE_H_
#define SWITCHYARD_CORE_SHAPE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "switchyard/core/macros.h"
#include "switchyard/core/memory_format.h"

namespace sy {

using IntSpan = std::span<const int64_t>;

[[noreturn]] SY_API SY_COLD void FailDimRange(int64_t dim, int64_t rank);
// dim in -rank … rank-1 → 0 … rank-1. A 0-dim tensor counts as having one dimension.
inline int64_t WrapDim(int64_t dim, int64_t rank) {
  const int64_t n = rank == 0 ? 1 : rank;
  if (dim < -n || dim >= n) [[unlikely]]
    FailDimRange(dim, rank);
  return dim < 0 ? dim + n : dim;
}
// A bit per dimension; all bits when dims is empty or absent. Errors also: a dimension named twice.
SY_API uint64_t DimMask(std::optional<IntSpan> dims, int64_t rank, std::string_view op);

SY_API int64_t NumElements(IntSpan sizes);  // Errors: kInvalidArgument past 2^63.
// Elements from the first to one past the last, 0 when empty. Errors: negative entries, overflow.
SY_API int64_t StorageExtent(IntSpan sizes, IntSpan strides);
SY_API void ContiguousStrides(IntSpan sizes, int64_t* strides);
// format: kChannelsLast needs 4 sizes, kChannelsLast3d 5.
SY_API void FormatStrides(IntSpan sizes, MemoryFormat format, int64_t* strides);
SY_API bool SameSizes(IntSpan a, IntSpan b);

SY_API bool IsNonOverlappingAndDense(IntSpan sizes, IntSpan strides);
SY_API bool IsChannelsLastContiguous(IntSpan sizes, IntSpan strides, MemoryFormat format);
// ATen's looser test, by which outputs are given channels-last strides.
SY_API bool IsChannelsLastStrides(IntSpan sizes, IntSpan strides, MemoryFormat format);

// Common size of two operands, from the last dimension on: equal or 1. Returns the rank.
// Errors: kInvalidArgument naming both.
SY_API int Broadcast(IntSpan a, IntSpan b, int64_t* out, std::string_view op);
// Whether `from` can be expanded to `to`.
SY_API bool IsExpandable(IntSpan from, IntSpan to);

// Replaces one -1 in `sizes` by what makes the product `numel`. Errors: kInvalidArgument as ATen's
// view.
SY_API void InferSize(IntSpan sizes, int64_t numel, int64_t* out, std::string_view op);
// Strides by which a tensor can be seen with other sizes without a copy; false if it cannot.
SY_API bool ViewStrides(IntSpan old_sizes, IntSpan old_strides, int64_t numel, IntSpan new_sizes,
                        int64_t* new_strides);
// Dense strides in the order of an existing tensor's: what empty_like(preserve_format) gives.
SY_API void PreservedStrides(IntSpan sizes, IntSpan strides, int64_t* out);

}  // namespace sy

#endif  // SWITCHYARD_CORE_SHAPE_H_
