// sum_to_size by sum of the dimensions that expand.

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor SumToSize(Call call, const Tensor& self, IntSpan size) {
  if (!IsExpandable(size, self.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"size ", size, " does not expand to self's sizes ", self.sizes()});
  }
  if (size.empty()) return sum(self);
  const size_t leading = self.sizes().size() - size.size();
  ::std::vector<int64_t> dims;
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    if (d < leading || (size[d - leading] == 1 && self.sizes()[d] != 1))
      dims.push_back(static_cast<int64_t>(d));
  }
  if (dims.empty()) return self;
  const Tensor t = sum(self, dims, true);
  return leading == 0 ? t : view(t, size);
}
const Composite sum_to_size_body{"sum_to_size", SumToSize};

}  // namespace
}  // namespace sy
