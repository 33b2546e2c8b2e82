// self with another dtype, device or memory format: self itself where nothing changes, unless
// `copy` asks for a copy. chalf is to complex32, type_as to the dtype and device of another tensor,
// dequantize to float32.
//   self: any sizes   →   sizes of self
// Errors: kUnavailable when the device is not there, kInvalidArgument for a sparse layout or pinned
// memory elsewhere than on cpu, kNotImplemented when no device pins memory.
// Example: sy::to(x, DType::kFloat16)
// Source: ATen to, _to_copy, chalf, type_as, dequantize.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ToCopyShape(ShapeContext& r, const TensorBase& self, Optional<DType> dtype,
                 Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                 bool /*non_blocking*/, Optional<MemoryFormat> memory_format) {
  Create(r, layout, device ? *device : self.device(), pin_memory);
  OutputAs(r, self, dtype.value_or(self.dtype()), memory_format.value_or(MemoryFormat::kPreserve))
      .starts_as = 0;
  r.ComputeNothing();
}

}  // namespace

const Operator to_copy_op{
    "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None, "
    "bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
    ToCopyShape};
const Operator to_copy_out_op{
    "_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, "
    "Tensor(a!) out) -> Tensor(a!)",
    KeyRule::kFirst};
const Operator to_dtype_layout_op{
    "to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? "
    "pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) "
    "-> Tensor(a)",
    KeyRule::kFirst};
const Operator to_device_op{
    "to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool "
    "copy=False, MemoryFormat? "
    "memory_format=None) -> Tensor(a)",
    KeyRule::kFirst};
const Operator to_dtype_op{
    "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
    "MemoryFormat? "
    "memory_format=None) -> Tensor(a)",
    KeyRule::kFirst};
const Operator to_other_op{
    "to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
    "MemoryFormat? memory_format=None) "
    "-> Tensor(a)",
    KeyRule::kFirst};
const Operator chalf_op{"chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
                        KeyRule::kFirst};
const Operator type_as_op{"type_as(Tensor self, Tensor other) -> Tensor", KeyRule::kFirst};
const Operator dequantize_op{
    "dequantize.self(Tensor self) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
