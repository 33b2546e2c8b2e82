// Where a view begins.
//
//   r.View(sizes, strides, OffsetBy(r, self, start, self.strides()[dim]));
//
// Threads: any.
// Errors: kInvalidArgument where that is too far for the memory of any tensor: strides of
// dimensions of at most one element, and of empty tensors, may be any.
#ifndef SWITCHYARD_OPS_VIEW_OFFSET_H_
#define SWITCHYARD_OPS_VIEW_OFFSET_H_

#include "switchyard/core/checked.h"
#include "switchyard/op/shape_context.h"

namespace sy {

// self's storage offset and `steps` strides more, in elements.
inline int64_t OffsetBy(const ShapeContext& r, const TensorBase& self, int64_t steps,
                        int64_t stride) {
  return CheckedOffset(r, self.storage_offset(), steps, stride);
}

// The same for steps that lead to a position which the dimension has: only where the tensor is
// empty can that be too far.
inline int64_t OffsetOf(const ShapeContext& r, const TensorBase& self, int64_t steps,
                        int64_t stride) {
  if (self.numel() == 0) [[unlikely]]
    return OffsetBy(r, self, steps, stride);
  return self.storage_offset() + steps * stride;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_OFFSET_H_
