// self as a tensor of its own in the same storage, which layers do not follow; alias is the same
// with layers; detach_copy and alias_copy copy it.
//   self: any sizes   →   like self, the storage of self
// Example: sy::detach(x)
// Source: ATen detach, alias, detach_copy, alias_copy.
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void SameRule(Rule& r, const Meta& self) {
  r.View(self.sizes(), self.strides(), self.storage_offset());
}

void DetachRule(Rule& r, const Meta& self) {
  SameRule(r, self);
  r.DropLayers();
}

}  // namespace

const Operator detach_op{"detach(Tensor(a) self) -> Tensor(a)", View(DetachRule), kInPlace};
const Operator alias_op{"alias(Tensor(a) self) -> Tensor(a)", View(SameRule)};
const Operator detach_copy_op{"detach_copy(Tensor self) -> Tensor", CopyOf<SameRule>, kOut};
const Operator alias_copy_op{"alias_copy(Tensor self) -> Tensor", CopyOf<SameRule>, kOut};

}  // namespace sy
