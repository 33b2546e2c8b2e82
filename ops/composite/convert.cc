// Tensors with another dtype, device or layout: themselves where nothing changes.

#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

bool LiesAs(const Tensor& t, MemoryFormat format) {
  return format == MemoryFormat::kPreserve || t.is_contiguous(format);
}

Tensor To(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
          Optional<Device> device, Optional<bool> pin_memory, bool non_blocking, bool copy,
          Optional<MemoryFormat> memory_format) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kPreserve);
  const bool same = !copy && dtype.value_or(self.dtype()) == self.dtype() &&
                    (!device || PlaceOf(*device) == PlaceOfKey(self.key())) &&
                    layout.value_or(Layout::kStrided) == Layout::kStrided &&
                    !pin_memory.value_or(false) && LiesAs(self, format);
  return same ? self : _to_copy(self, dtype, layout, device, pin_memory, non_blocking, format);
}
Tensor ToDevice(Call call, const Tensor& self, Device device, DType dtype, bool non_blocking,
                bool copy, Optional<MemoryFormat> format) {
  return To(call, self, dtype, std::nullopt, device, std::nullopt, non_blocking, copy, format);
}
Tensor ToDType(Call call, const Tensor& self, DType dtype, bool non_blocking, bool copy,
               Optional<MemoryFormat> format) {
  return To(call, self, dtype, std::nullopt, std::nullopt, std::nullopt, non_blocking, copy,
            format);
}
Tensor ToOther(Call call, const Tensor& self, const Tensor& other, bool non_blocking, bool copy,
               Optional<MemoryFormat> format) {
  return To(call, self, other.dtype(), std::nullopt, other.device(), std::nullopt, non_blocking,
            copy, format);
}
const Composite to_body{"to.dtype_layout", To};
const Composite to_device_body{"to.device", ToDevice};
const Composite to_dtype_body{"to.dtype", ToDType};
const Composite to_other_body{"to.other", ToOther};

Tensor Contiguous(Call call, const Tensor& self, MemoryFormat format) {
  if (format == MemoryFormat::kPreserve) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): memory_format must say how; preserve_format does not"});
  }
  return self.is_contiguous(format) ? self : clone(self, format);
}
const Composite contiguous_body{"contiguous", Contiguous};

}  // namespace
}  // namespace sy
