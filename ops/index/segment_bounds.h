// Where segments begin and end, by their lengths or as they are given.
//
//   const SegmentSizes sizes = SegmentSizesOf(data, /*segments=*/3, axis);
//   std::vector<int64_t> bounds = SegmentBounds(op, lengths, /*are_offsets=*/false, sizes,
//                                               /*complete=*/true);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidValue naming the operator `op` for a segment that does not lie within the data,
// and, where `complete`, for lengths whose sum is another than the data's.
#ifndef SWITCHYARD_OPS_INDEX_SEGMENT_BOUNDS_H_
#define SWITCHYARD_OPS_INDEX_SEGMENT_BOUNDS_H_

#include <string_view>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy {

#pragma GCC visibility push(default)

struct SegmentSizes {
  // batches: places in front of the axis; length: elements along it; inner: places behind it.
  int64_t batches, segments, length, inner;
};
SegmentSizes SegmentSizesOf(const Tensor& data, int64_t segments, int64_t axis);
// given: on the host, int64 and dense; lengths, [batches, segments], or offsets, [batches, segments
// + 1]. The result has segments + 1 entries a batch.
std::vector<int64_t> SegmentBounds(std::string_view op, const Tensor& given, bool are_offsets,
                                   const SegmentSizes& sizes, bool complete);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_INDEX_SEGMENT_BOUNDS_H_
