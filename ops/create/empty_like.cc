// A new tensor shaped as self, whose elements have no particular value.
//   self: any sizes   →   sizes, dtype, device and order of dimensions of self, unless told
//   otherwise
// Errors: as empty.
// Example: sy::empty_like(x, DType::kInt64)
// Source: ATen empty_like.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EmptyLikeShape(ShapeContext& r, const TensorBase& self, Optional<DType> dtype,
                    Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory,
                    Optional<MemoryFormat> memory_format) {
  Create(r, layout, device ? *device : self.device(), pin_memory);
  OutputAs(r, self, dtype.value_or(self.dtype()), memory_format.value_or(MemoryFormat::kPreserve));
  r.ComputeNothing();
}

}  // namespace

const Operator empty_like_op{
    "empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? "
    "pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
    EmptyLikeShape, Tags(OperatorTag::kUninitializedOutput)};
const Operator empty_like_out_op{
    "empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
    "Tensor(a!)",
    Tags(OperatorTag::kUninitializedOutput)};

}  // namespace sy
