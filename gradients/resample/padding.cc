// Gradients of padding by what is there already: each element has those of its copies.
#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Of an operator and the one that passes its gradient back, which looks at self's sizes alone.
template <auto kForward, auto kBackward>
struct Padded {
  static Tensor Self(const Grad& g, const Tensor& self, IntSpan padding) {
    return kBackward(g.tensor(), self, padding);
  }
  static Tensor Back(const Grad& g, Unsaved, Unsaved, IntSpan padding) {
    return kForward(g.tensor(), padding);
  }
};
#define OP(name) [](const auto&... args) { return name(args...); }
#define PADDED(name)                                                       \
  using name##_pair = Padded<OP(name), OP(name##_backward)>;               \
  const Gradient name##_grad{#name, For("self", name##_pair::Self)};       \
  const Gradient name##_backward_grad{#name "_backward",                   \
                                      For("grad_output", name##_pair::Back)}

PADDED(reflection_pad1d);
PADDED(reflection_pad2d);
PADDED(reflection_pad3d);
PADDED(replication_pad1d);
PADDED(replication_pad2d);
PADDED(replication_pad3d);

}  // namespace
}  // namespace sy
