// out= variants that size a tensor and fill it in place.
//
//   ResizeAndFill(out, size, format, [&](const Tensor& t) { random_(t, low, high); });
//   StoreFilledLike(self, format, out, fill);   what is drawn does not depend on how out lies
//
// Owns: nothing. Threads: any.
// Errors: those of `fill` and resize_; `out` is as it was then.
#ifndef SWITCHYARD_OPS_FILL_OUT_H_
#define SWITCHYARD_OPS_FILL_OUT_H_

#include <optional>

#include "switchyard/core/shape.h"
#include "switchyard/ops.h"

namespace sy {

// fill(t) must refuse by dtype and numbers alone, so that an empty tensor tells whether it will.
template <class F>
void ResizeAndFill(const Tensor& out, IntSpan size, Optional<MemoryFormat> format, F fill) {
  fill(new_empty(out, {0}));
  fill(resize_(out, size, format));
}

// ATen fills a tensor that lies like self, of out's dtype, and copies it.
template <class F>
void StoreFilledLike(const Tensor& self, Optional<MemoryFormat> format, const Tensor& out, F fill) {
  const Tensor made =
      empty_like(self, out.dtype(), std::nullopt, out.device(), std::nullopt, format);
  fill(made);
  copy_(SameSizes(out.sizes(), made.sizes()) ? out : resize_(out, made.sizes()), made);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_FILL_OUT_H_
