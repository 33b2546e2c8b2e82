// The bodies of the backward operators of views: zeros, and the gradient where the view lies.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// All that can fail comes before anything is written, so that errors leave `out` as it was.
template <auto kView, class... A>
void ViewBackward(Call, const Tensor& out, const Tensor& grad, IntSpan, A... a) {
  const Tensor at = kView(out, a...);
  const Tensor given = expand(grad, at.sizes());
  zero_(out);
  copy_(at, given);
}
Tensor Slice(const Tensor& t, int64_t dim, int64_t start, int64_t end, int64_t step) {
  return slice(t, dim, start, end, step);
}

// Element `k` of every window at once, the last first: elements are summed from the first window
// to the last.
void UnfoldBackward(Call call, const Tensor& out, const Tensor& grad, IntSpan, int64_t dim,
                    int64_t size, int64_t step) {
  const Tensor windows = unfold(out, dim, size, step);
  if (!SameSizes(windows.sizes(), grad.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the gradient must have the sizes of the windows, ", windows.sizes(), ", got ",
          grad.sizes()});
  }
  zero_(out);
  if (grad.numel() == 0) return;
  for (int64_t k = size - 1; k >= 0; --k) add_(select(windows, -1, k), select(grad, -1, k));
}

const Composite select_body{"select_backward", ViewBackward<select, int64_t, int64_t>};
const Composite slice_body{"slice_backward",
                           ViewBackward<Slice, int64_t, int64_t, int64_t, int64_t>};
const Composite diagonal_body{"diagonal_backward",
                              ViewBackward<diagonal, int64_t, int64_t, int64_t>};
const Composite unfold_body{"unfold_backward", UnfoldBackward};

}  // namespace
}  // namespace sy
