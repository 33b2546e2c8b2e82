// out= variants that size a tensor and fill it in place.
//
//   ResizeAndFill(out, size, format, [&](const Tensor& t) { random_(t, low, high); });
//
// Owns: nothing. Threads: any.
// Errors: those of `fill` and resize_; `out` is as it was then.
#ifndef SWITCHYARD_OPS_FILL_OUT_H_
#define SWITCHYARD_OPS_FILL_OUT_H_

#include "switchyard/ops.h"

namespace sy {

// fill(t) must refuse by dtype and numbers alone, so that an empty tensor tells whether it will.
template <class F>
void ResizeAndFill(const Tensor& out, IntSpan size, Optional<MemoryFormat> format, F fill) {
  fill(new_empty(out, {0}));
  fill(resize_(out, size, format));
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_FILL_OUT_H_
