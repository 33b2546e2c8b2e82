// Gradients of images of other sizes: what goes back through one is linear, and goes back through
// the image again.
#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Of an operator and the one that passes its gradient back. Rest: align_corners, where there is
// such a thing, and a scale for each dim.
template <auto kForward, auto kBackward, class... Rest>
struct Resized {
  static Tensor Self(const Grad& g, Like self, IntSpan size, Rest... rest) {
    return kBackward(g.tensor(), size, self.sizes(), rest...);
  }
  static Tensor Back(const Grad& g, Unsaved, IntSpan size, Unsaved, Rest... rest) {
    return kForward(g.tensor(), size, rest...);
  }
};
using Scale = Optional<double>;
#define OP(name) [](const auto&... args) { return name(args...); }
#define RESIZED(name, ...)                                                 \
  using name##_pair = Resized<OP(name), OP(name##_backward), __VA_ARGS__>; \
  const Gradient name##_grad{#name, For("self", name##_pair::Self)};       \
  const Gradient name##_backward_grad { #name "_backward", For("grad_output", name##_pair::Back) }

RESIZED(upsample_linear1d, bool, Scale);
RESIZED(upsample_bilinear2d, bool, Scale, Scale);
RESIZED(_upsample_bilinear2d_aa, bool, Scale, Scale);
RESIZED(upsample_bicubic2d, bool, Scale, Scale);
RESIZED(_upsample_bicubic2d_aa, bool, Scale, Scale);
RESIZED(upsample_trilinear3d, bool, Scale, Scale, Scale);
RESIZED(upsample_nearest1d, Scale);
RESIZED(_upsample_nearest_exact1d, Scale);
RESIZED(upsample_nearest2d, Scale, Scale);
RESIZED(_upsample_nearest_exact2d, Scale, Scale);
RESIZED(upsample_nearest3d, Scale, Scale, Scale);
RESIZED(_upsample_nearest_exact3d, Scale, Scale, Scale);

}  // namespace
}  // namespace sy
