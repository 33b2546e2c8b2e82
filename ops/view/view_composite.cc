// The body of view_copy.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Where no view of self has the sizes, one of out has self's.
void ViewCopy(Call, const Tensor& out, const Tensor& self, IntSpan size) {
  if (out.is_contiguous()) {
    copy_(view(out, self.sizes()), self);
  } else {
    copy_(out, reshape(self, size));
  }
}
Tensor UnsafeView(Call, const Tensor& self, IntSpan size) { return view(self, size); }
const Composite view_copy_body{"view_copy", ViewCopy};
const Composite unsafe_view_body{"_unsafe_view", UnsafeView};

}  // namespace
}  // namespace sy
