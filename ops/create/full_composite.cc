// full: an empty tensor, filled.

#include <optional>

#include "ops/create/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

DType DTypeOfNumber(const Scalar& s) {
  return s.is_complex()    ? ComplexType(DefaultDType())
         : s.is_floating() ? DefaultDType()
                           : s.dtype();
}
Tensor Full(Call, IntSpan size, const Scalar& value, Optional<DType> dtype, Optional<Layout> layout,
            Optional<Device> device, Optional<bool> pin_memory) {
  Tensor t = empty(size, dtype.value_or(DTypeOfNumber(value)), layout, device, pin_memory);
  fill_(t, value);
  return t;
}
Tensor FullLike(Call, const Tensor& self, const Scalar& value, Optional<DType> dtype,
                Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                Optional<MemoryFormat> format) {
  Tensor t = empty_like(self, dtype, layout, device, pin_memory, format);
  fill_(t, value);
  return t;
}
void FullOut(Call, IntSpan size, const Scalar& value, const Tensor& out) {
  FillOut(out, size, std::nullopt, value);
}
void FullLikeOut(Call, const Tensor& self, const Scalar& value, Optional<MemoryFormat> format,
                 const Tensor& out) {
  FillOut(out, self.sizes(), format, value);
}
const Composite full_body{"full", Full};
const Composite full_like_body{"full_like", FullLike};
const Composite full_out_body{"full.out", FullOut};
const Composite full_like_out_body{"full_like.out", FullLikeOut};

}  // namespace
}  // namespace sy
