// Whether written and read memory overlap.
//
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
SY_API Overlap OverlapOf(const Meta& a, const Meta& b);
// Whether two elements of t surely share a place (a stride of 0 over more than one element).
SY_API bool SelfOverlaps(const Meta& t);

namespace internal {
[[noreturn]] SY_API SY_COLD void FailSelfOverlap(std::string_view op, const Meta& t);
[[noreturn]] SY_API SY_COLD void FailOverlap(std::string_view op, std::string_view written,
                                             std::string_view read);
}  // namespace internal

// `t` will be written: its elements must have places of their own.
inline void RequireNoSelfOverlap(std::string_view op, const Meta& t) {
  if (!t.is_contiguous() && SelfOverlaps(t)) [[unlikely]]
    internal::FailSelfOverlap(op, t);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_OVERLAP_H_
