// one_hot: zeros, with a 1 scattered into each row.

#include <vector>

#include "switchyard/core/transfer.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor OneHot(Call call, const Tensor& self, int64_t num_classes) {
  if (self.dtype() != DType::kInt64)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be int64, got ", self.dtype()});
  const bool empty = self.numel() == 0;
  if (num_classes < -1 || num_classes == 0 || (empty && num_classes < 0)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"num_classes must be at least 1", empty ? "" : ", or -1", ", got ", num_classes});
  }
  const bool has_values = !empty && HasBytes(self);  // meta has none
  if (num_classes < 0 || has_values) {
    const int64_t least = item(min(self)).To<int64_t>(), most = item(max(self)).To<int64_t>();
    if (least < 0 || (num_classes > 0 && most >= num_classes)) {
      Fail(ErrorCode::kInvalidValue, call.op(),
           {"classes must be 0 to ", num_classes < 0 ? most : num_classes - 1, ", got ",
            least < 0 ? least : most});
    }
    if (num_classes < 0) num_classes = most + 1;
  }
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  sizes.push_back(num_classes);
  Tensor rows = new_zeros(self, sizes);
  if (!empty) scatter_(rows, -1, unsqueeze(self, -1), 1);
  return rows;
}
const Composite one_hot_body{"one_hot", OneHot};

}  // namespace
}  // namespace sy
