// self as a tensor of its own in the same storage, which layers do not follow; alias is the same
// with layers; detach_copy and alias_copy copy it.
//   self: any sizes   →   like self, the storage of self
// Example: sy::detach(x)
// Source: ATen detach, alias, detach_copy, alias_copy.
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void SameShapeFunction(ShapeContext& r, const TensorBase& self) {
  r.View(self.sizes(), self.strides(), self.storage_offset());
}

void DetachShape(ShapeContext& r, const TensorBase& self) {
  SameShapeFunction(r, self);
  r.DropLayers();
}

}  // namespace

const Operator detach_op{"detach(Tensor(a) self) -> Tensor(a)", View(DetachShape), kInPlace};
const Operator alias_op{"alias(Tensor(a) self) -> Tensor(a)", View(SameShapeFunction)};
const Operator detach_copy_op{"detach_copy(Tensor self) -> Tensor", CopyOf<SameShapeFunction>,
                              kOut};
const Operator alias_copy_op{"alias_copy(Tensor self) -> Tensor", CopyOf<SameShapeFunction>, kOut};

}  // namespace sy
