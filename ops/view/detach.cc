// self as a tensor of its own in the same storage, which layers do not follow; alias is the same
// with layers.
//   self: any sizes   →   like self, the storage of self
// Example: sy::detach(x)
// Source: ATen detach, alias.
#include "switchyard/ops/rules.h"

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

}  // namespace sy
