// Complex conjugate of each element, computed; of real tensors a copy that lies as they do.
//   self: any sizes   →   like self
// Example: sy::conj_physical(x)
// Source: ATen conj_physical.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

// ATen returns a real tensor itself, gaps and all.
void ConjRule(Rule& r, const Meta& self) {
  UnaryRule(r, self);
  if (r.form() == FormKind::kFunctional && !IsComplex(self.dtype()))
    r.output(0).strides = self.strides().data();
}

}  // namespace

const Operator conj_physical_op{"conj_physical(Tensor self) -> Tensor", ConjRule, kInPlace | kOut};

}  // namespace sy
