// Gradients of padding by what is there already: each element has those of its copies.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/gradients/refused.h"
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
#define PADDED(name)                                                 \
  using name##_pair = Padded<OP(name), OP(name##_backward)>;         \
  const Gradient name##_grad{#name, For("self", name##_pair::Self)}; \
  const Gradient name##_backward_grad { #name "_backward", For("grad_output", name##_pair::Back) }

PADDED(reflection_pad1d);
PADDED(reflection_pad2d);
PADDED(reflection_pad3d);
PADDED(replication_pad1d);
PADDED(replication_pad2d);
PADDED(replication_pad3d);

// What pads by several modes, by those, so that 16-bit sums are rounded once. What is cut off goes
// afterwards; _pad_enum's body is that of pad.
Tensor Pad(const Tensor& self, IntSpan pad, std::string_view mode, Optional<double> value) {
  const auto dims = static_cast<int64_t>(pad.size() / 2);
  const bool reflects = mode == "reflect", replicates = mode == "replicate";
  const bool fits = pad.size() % 2 == 0 && dims >= 1 && dims <= 3 &&
                    (self.dim() == dims + 1 || self.dim() == dims + 2);
  if (mode == "constant") return constant_pad_nd(self, pad, value ? *value : 0);
  RequireFit(value.value_or(0.0) == 0);
  if (!fits || (!reflects && !replicates)) {
    const int64_t number = reflects ? 0 : replicates ? 1 : mode == "circular" ? 2 : -1;
    return _pad_enum(self, pad, number, value);
  }
  std::vector<int64_t> added(pad.begin(), pad.end()), cut(pad.begin(), pad.end());
  for (int64_t& n : added) n = std::max<int64_t>(n, 0);
  for (int64_t& n : cut) n = std::min<int64_t>(n, 0);
  const Tensor all =
      dims == 1   ? (reflects ? reflection_pad1d(self, added) : replication_pad1d(self, added))
      : dims == 2 ? (reflects ? reflection_pad2d(self, added) : replication_pad2d(self, added))
                  : (reflects ? reflection_pad3d(self, added) : replication_pad3d(self, added));
  return *std::min_element(cut.begin(), cut.end()) < 0 ? constant_pad_nd(all, cut, 0) : all;
}
const Decomposition pad_parts{"pad", Pad};

}  // namespace
}  // namespace sy
