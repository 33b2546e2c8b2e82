// Whether written and read memory overlap.
//
//   if (OverlapOf(out, self) == Overlap::kPartial) internal::FailOverlap(op, "out", "self");
//
// Two tensors may share memory if they show the same elements in the same places, as in place
// operators do. Everything is decided from geometry, so that some answers are "maybe": then
// operators refuse nothing, and compute into memory of their own.
//
// Of views of one x of 8 elements:
//
//   x[0:4], x[0:4]   kFull        x[::2], x[1::2]   kNo
//   x[0:4], x[4:8]   kNo          x[::2], x[0:4]    kMaybe
//   x[0:4], x[2:6]   kPartial     x[::2], x[::3]    kMaybe
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument naming the operator.
#ifndef SWITCHYARD_CORE_OVERLAP_H_
#define SWITCHYARD_CORE_OVERLAP_H_

#include <string_view>

#include "switchyard/core/tensor.h"

namespace sy {

enum class Overlap : uint8_t {
  kNo,
  kFull,     // the same elements in the same order
  kPartial,  // surely some, not all alike
  kMaybe,    // the ranges meet; whether elements do would cost too much to decide
};
// Of two defined tensors. kNo also where one has no elements, or they have different storages.
SY_API Overlap OverlapOf(const TensorBase& a, const TensorBase& b);
// Whether two elements of t surely share a place (a stride of 0 over more than one element). Other
// overlaps of as_strided views are not found.
SY_API bool SelfOverlaps(const TensorBase& t);

namespace internal {
// Both kInvalidArgument, advising a clone.
[[noreturn]] SY_API SY_COLD void FailSelfOverlap(std::string_view op, const TensorBase& t);
[[noreturn]] SY_API SY_COLD void FailOverlap(std::string_view op, std::string_view written,
                                             std::string_view read);
}  // namespace internal

// `t` will be written: its elements must have places of their own.
inline void RequireNoSelfOverlap(std::string_view op, const TensorBase& t) {
  if (!t.is_contiguous() && SelfOverlaps(t)) [[unlikely]]
    internal::FailSelfOverlap(op, t);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_OVERLAP_H_
