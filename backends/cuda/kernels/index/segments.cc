#include "backends/cuda/kernels/index/segments.h"

#include <cstring>
#include <vector>

#include "backends/cuda/engine/dense.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/index/segment_bounds.h"

namespace sy::cuda {

Tensor PlaceSegments(Call call, SegmentArgs* args, const Tensor& data, int64_t segments,
                     int64_t axis, const Tensor& lengths, const Tensor& offsets, bool complete) {
  const SegmentSizes sizes = SegmentSizesOf(data, segments, axis);
  args->batches = sizes.batches;
  args->segments = sizes.segments;
  args->length = sizes.length;
  args->inner = sizes.inner;
  const bool by_offsets = offsets.defined();
  const Tensor given = Dense(call, by_offsets ? offsets : lengths, DType::kInt64);
  const std::vector<int64_t> bounds =
      SegmentBounds(call.op(), ToHost(given), by_offsets, sizes, complete);
  const Tensor host = Tensor::Empty({static_cast<int64_t>(bounds.size())}, DType::kInt64);
  if (!bounds.empty()) std::memcpy(host.data(), bounds.data(), host.nbytes());
  const Tensor places = FromHost(host, data.device());
  args->bounds = places.data();
  return places;
}

}  // namespace sy::cuda
