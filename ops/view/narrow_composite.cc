// narrow from where a tensor says, and the body of narrow_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor NarrowTensor(Call call, const Tensor& self, int64_t dim, const Tensor& start,
                    int64_t length) {
  if (start.dim() != 0 || !IsIntegral(start.dtype(), false)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"start must be a 0-d integer tensor, got ", Describe(start)});
  }
  return narrow(self, dim, item(start).To<int64_t>(), length);
}
const Composite narrow_tensor_body{"narrow.Tensor", NarrowTensor};

// The overload that takes these.
constexpr auto kNarrow = [](const auto&... a) { return narrow(a...); };
const Composite narrow_copy_body{"narrow_copy", Copy<kNarrow, int64_t, int64_t, int64_t>};

}  // namespace
}  // namespace sy
