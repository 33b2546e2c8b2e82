// New tensors, and such as are given, filled with one number: what zeros, ones and their siblings
// are.
//
//   const Composite zeros_body{"zeros", Filled<0>};
//
// Owns: nothing. Threads: any.
// Errors: those of empty, resize_ and fill_; an `out` that cannot hold the number is as it was.
#ifndef SWITCHYARD_OPS_CREATE_FILLED_COMPOSITE_H_
#define SWITCHYARD_OPS_CREATE_FILLED_COMPOSITE_H_

#include <optional>

#include "ops/fill_out.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

template <int kValue>
Tensor Filled(Call, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype, layout, device, pin_memory);
  fill_(t, kValue);
  return t;
}
template <int kValue>
Tensor FilledLike(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
                  Optional<Device> device, Optional<bool> pin_memory,
                  Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  fill_(t, kValue);
  return t;
}
template <int kValue>
void FilledOut(Call, IntSpan size, const Tensor& out) {
  ResizeAndFill(out, size, std::nullopt, [](const Tensor& t) { fill_(t, kValue); });
}
template <int kValue>
void FilledLikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  ResizeAndFill(out, self.sizes(), format, [](const Tensor& t) { fill_(t, kValue); });
}

// The number of a caller.
inline void FillOut(const Tensor& out, IntSpan size, Optional<MemoryFormat> format,
                    const Scalar& value) {
  ResizeAndFill(out, size, format, [&](const Tensor& t) { fill_(t, value); });
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_CREATE_FILLED_COMPOSITE_H_
