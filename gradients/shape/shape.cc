// Gradients of operators that move, repeat and join elements.
#include <cstdlib>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor FlipSelf(const Grad& g, Unsaved, IntSpan dims) { return flip(g, dims); }
const Gradient flip_grad{"flip", For("self", FlipSelf)};
Tensor RollSelf(const Grad& g, Unsaved, IntSpan shifts, IntSpan dims) {
  std::vector<int64_t> back(shifts.begin(), shifts.end());
  for (int64_t& s : back) s = -s;
  return roll(g, back, dims);
}
const Gradient roll_grad{"roll", For("self", RollSelf)};
Tensor TrilSelf(const Grad& g, Unsaved, int64_t diagonal) { return tril(g, diagonal); }
Tensor TriuSelf(const Grad& g, Unsaved, int64_t diagonal) { return triu(g, diagonal); }
const Gradient tril_grad{"tril", For("self", TrilSelf)};
const Gradient triu_grad{"triu", For("self", TriuSelf)};
// The sum over all copies: (r0, n0, r1, n1, …) summed over r.
Tensor RepeatSelf(const Grad& g, Like self, IntSpan repeats) {
  const size_t more = repeats.size() - static_cast<size_t>(self.dim());
  if (g.numel() == 0) return new_zeros(g, self.sizes());
  std::vector<int64_t> sizes, copies;
  for (size_t i = 0; i < repeats.size(); ++i) {
    copies.push_back(static_cast<int64_t>(sizes.size()));
    sizes.push_back(repeats[i]);
    if (i >= more) sizes.push_back(self.sizes()[i - more]);
  }
  if (copies.empty()) return g;
  return reshape(sum(reshape(g, sizes), copies), self.sizes());
}
const Gradient repeat_grad{"repeat", For("self", RepeatSelf)};
// Negative padding cut something off: zeros there.
Tensor PadSelf(const Grad& g, Unsaved, IntSpan pad, Unsaved) {
  std::vector<int64_t> back(pad.begin(), pad.end());
  for (int64_t& p : back) p = -p;
  return constant_pad_nd(g, back, 0);
}
const Gradient pad_grad{"constant_pad_nd", For("self", PadSelf)};

// Each has its piece. Empty 1-d tensors join anything, and have an empty gradient.
void CatGrad(const Grad& g, LikeList tensors, int64_t dim, Gradients& out) {
  int64_t at = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Like x = tensors[i];
    if (x.dim() == 1 && x.numel() == 0) {
      if (out.needs(0, i)) out.Set(0, i, new_zeros(g, x.sizes()));
      continue;
    }
    const int64_t n = x.size(dim);
    if (out.needs(0, i)) out.Set(0, i, narrow(g, dim, at, n));
    at += n;
  }
}
const Gradient cat_grad{"cat", ForAll({"tensors"}, CatGrad)};
void StackGrad(const Grad& g, LikeList tensors, int64_t dim, Gradients& out) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (out.needs(0, i)) out.Set(0, i, select(g, dim, static_cast<int64_t>(i)));
  }
}
const Gradient stack_grad{"stack", ForAll({"tensors"}, StackGrad)};

}  // namespace
}  // namespace sy
