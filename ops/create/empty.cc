// A new tensor whose elements have no particular value.
//   size: >= 0 each   →   size; `dtype` or the default dtype, on `device` or the default device,
//   row-major or in `memory_format`
//   pin_memory: on cpu, in memory that a device copies from and to while the host goes on
// Errors: kInvalidArgument for negative or too large sizes, a sparse layout, pinned memory
// elsewhere than on cpu, or a channels-last format with another rank than 4 (5 for 3d);
// kOutOfMemory; kUnavailable when the device is not there, kNotImplemented when none pins memory.
// Example: sy::empty({2, 3}, DType::kFloat64)
// Source: ATen empty.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EmptyShape(ShapeContext& r, IntSpan size, Optional<DType> dtype, Optional<Layout> layout,
                Optional<Device> device, Optional<bool> pin_memory,
                Optional<MemoryFormat> memory_format) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::kContiguous);
  if (format == MemoryFormat::kPreserve)
    r.Fail({"there is no tensor whose format could be preserved"});
  OutputInFormat(r, size, dtype.value_or(DefaultDType()), format);
  r.ComputeNothing();
  Create(r, layout, device, pin_memory);
}

}  // namespace

const Operator empty_op{
    "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    EmptyShape, Tags(OperatorTag::kUninitializedOutput)};
const Operator empty_out_op{
    "empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
    Tags(OperatorTag::kUninitializedOutput)};

}  // namespace sy
