// A copy of self in storage of its own.
//   self: any sizes   →   like self, in `memory_format` if given
// Errors: kInvalidArgument for a channels-last format with another rank than 4 (5 for 3d).
// Example: sy::clone(x)
// Source: ATen clone.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CloneShape(ShapeContext& r, const TensorBase& self, Optional<MemoryFormat> memory_format) {
  OutputAs(r, self, self.dtype(), memory_format.value_or(MemoryFormat::kPreserve)).starts_as = 0;
  r.ComputeNothing();
}

}  // namespace

const Operator clone_op{"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor",
                        CloneShape,
                        kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut) |
                            Tags(OperatorTag::kPointwise)};

}  // namespace sy
