#include "switchyard/ops/index/segment_bounds.h"

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy {

SegmentSizes SegmentSizesOf(const Tensor& data, int64_t segments, int64_t axis) {
  const IntSpan sizes = data.sizes();
  const auto along = static_cast<size_t>(axis);
  return {NumElements(sizes.first(along)), segments, sizes[along],
          NumElements(sizes.subspan(along + 1))};
}

std::vector<int64_t> SegmentBounds(std::string_view op, const Tensor& given, bool are_offsets,
                                   const SegmentSizes& sizes, bool complete) {
  const int64_t* p = given.data<int64_t>();
  std::vector<int64_t> bounds;
  for (int64_t b = 0; b < sizes.batches; ++b) {
    int64_t at = 0;
    bounds.push_back(are_offsets ? *p++ : 0);
    for (int64_t s = 0; s < sizes.segments; ++s) {
      at = are_offsets ? *p : at + *p;
      ++p;
      const bool good = bounds.back() >= 0 && at >= bounds.back() && at <= sizes.length;
      if (!good) {
        Fail(ErrorCode::kInvalidValue, op,
             {"segment ", s, " goes from ", bounds.back(), " to ", at,
              ", which does not lie within the ", sizes.length, " elements along axis"});
      }
      bounds.push_back(at);
    }
    if (complete && !are_offsets && at != sizes.length) {
      Fail(ErrorCode::kInvalidValue, op,
           {"lengths sum up to ", at, ", but data has ", sizes.length, " elements along axis"});
    }
  }
  return bounds;
}

}  // namespace sy
