// to: self where nothing changes, else a copy of another dtype, device or layout.

#include <optional>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

bool LiesAs(const Tensor& t, MemoryFormat format) {
  return format == MemoryFormat::kPreserve || t.is_contiguous(format);
}

// To another device, on the current stream of the one that is not the host.
Tensor ToWithoutWaiting(const Tensor& self, DType dtype, Device device, Optional<Layout> layout,
                        Optional<bool> pin_memory, MemoryFormat format) {
  // The host's side is pinned, as ATen's _to_copy has it: other memory cannot be written later.
  const bool pins = device.type == kHost && self.dtype() == dtype && LiesAs(self, format) &&
                    self.is_non_overlapping_and_dense() &&
                    BackendOf(self.device().type).pinned_allocator() != nullptr;
  Tensor out = pins ? EmptyStridedPinned(self.sizes(), self.strides(), dtype, self.device())
                    : empty_like(self, dtype, layout, device, pin_memory, format);
  copy_(out, self, true);
  return out;
}

Tensor To(Call, const Tensor& self, Optional<DType> dtype, Optional<Layout> layout,
          Optional<Device> device, Optional<bool> pin_memory, bool non_blocking, bool copy,
          Optional<MemoryFormat> memory_format) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kPreserve);
  const bool same = !copy && dtype.value_or(self.dtype()) == self.dtype() &&
                    (!device || PlaceOf(*device) == PlaceOfKey(self.key())) &&
                    layout.value_or(self.layout()) == self.layout() &&
                    !pin_memory.value_or(false) && LiesAs(self, format);
  if (same) return self;
  if (non_blocking && device && PlaceOf(*device) != PlaceOfKey(self.key()))
    return ToWithoutWaiting(self, dtype.value_or(self.dtype()), *device, layout, pin_memory,
                            format);
  return _to_copy(self, dtype, layout, device, pin_memory, non_blocking, format);
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

// Into out's dtype and device. PyTorch resizes out row-major, whatever format is asked for.
void ToCopyOut(Call, const Tensor& self, bool non_blocking, Optional<MemoryFormat> /*format*/,
               const Tensor& out) {
  copy_(SameSizes(self.sizes(), out.sizes()) ? out : resize_(out, self.sizes()), self,
        non_blocking);
}
const Composite to_copy_out_body{"_to_copy.out", ToCopyOut};
const Composite to_device_body{"to.device", ToDevice};
const Composite to_dtype_body{"to.dtype", ToDType};
const Composite to_other_body{"to.other", ToOther};

Tensor Chalf(Call call, const Tensor& self, Optional<MemoryFormat> format) {
  return ToDType(call, self, DType::kComplex32, false, false, format);
}
const Composite chalf_body{"chalf", Chalf};
Tensor TypeAs(Call call, const Tensor& self, const Tensor& other) {
  return ToOther(call, self, other, false, false, std::nullopt);
}
Tensor Dequantize(Call call, const Tensor& self) {
  return ToDType(call, self, DType::kFloat32, false, false, std::nullopt);
}
const Composite type_as_body{"type_as", TypeAs};
const Composite dequantize_body{"dequantize.self", Dequantize};

}  // namespace
}  // namespace sy
