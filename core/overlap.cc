#include "switchyard/core/overlap.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "switchyard/core/shape.h"

namespace sy {

bool SelfOverlaps(const TensorBase& t) {
  if (t.numel() == 0 || t.is_non_overlapping_and_dense()) return false;
  for (int64_t i = 0; i < t.dim(); ++i) {
    if (t.strides()[i] == 0 && t.sizes()[i] > 1) return true;
  }
  return false;
}

Overlap OverlapOf(const TensorBase& a, const TensorBase& b) {
  if (a.impl() == b.impl()) return Overlap::kFull;
  if (a.numel() == 0 || b.numel() == 0 || a.impl()->storage != b.impl()->storage)
    return Overlap::kNo;
  const bool alike = a.itemsize() == b.itemsize() && a.storage_offset() == b.storage_offset() &&
                     SameSizes(a.sizes(), b.sizes()) && SameSizes(a.strides(), b.strides());
  if (alike) return Overlap::kFull;
  // In bytes: [begin, end) of each, and the common divisor of all steps.
  int64_t step = 0;
  const auto range = [&](const TensorBase& t, int64_t& begin, int64_t& end) {
    const int64_t item = static_cast<int64_t>(t.itemsize());
    begin = t.storage_offset() * item;
    end = (t.storage_offset() + StorageExtent(t.sizes(), t.strides())) * item;
    for (int64_t i = 0; i < t.dim(); ++i) {
      if (t.sizes()[i] > 1) step = std::gcd(step, t.strides()[i] * item);
    }
  };
  int64_t begin_a, end_a, begin_b, end_b;
  range(a, begin_a, end_a);
  range(b, begin_b, end_b);
  if (end_a <= begin_b || end_b <= begin_a) return Overlap::kNo;
  if (a.is_non_overlapping_and_dense() && b.is_non_overlapping_and_dense())
    return Overlap::kPartial;
  // Elements start at begin_a and begin_b modulo step: interleaved views such as x[::2] and x[1::2]
  // never meet.
  if (step != 0) {
    const int64_t item = static_cast<int64_t>(std::max(a.itemsize(), b.itemsize()));
    const int64_t shift = std::abs(begin_a - begin_b) % step;
    if (a.itemsize() == b.itemsize() && shift >= item && step - shift >= item) return Overlap::kNo;
  }
  return Overlap::kMaybe;
}

namespace internal {

void FailSelfOverlap(std::string_view op, const TensorBase& t) {
  Fail(ErrorCode::kInvalidArgument, op,
       {"several elements of the written tensor share one place in memory (sizes ", t.sizes(),
        ", strides ", t.strides(), "); clone it first"});
}

void FailOverlap(std::string_view op, std::string_view written, std::string_view read) {
  Fail(
      ErrorCode::kInvalidArgument, op,
      {written, " and ", read, " overlap in memory but are not the same; clone one of them first"});
}

}  // namespace internal
}  // namespace sy
