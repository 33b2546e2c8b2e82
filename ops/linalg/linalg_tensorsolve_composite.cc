// Equations between tensors, and inverses of tensors, by those of matrices.

#include <optional>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireSquareShape(Call call, const Tensor& self, int64_t columns, int64_t rows) {
  if (columns == rows) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must have as many elements in its last dimensions as in the others, ", "got ",
        columns, " and ", rows, " of sizes ", self.sizes()});
}
Tensor Tensorsolve(Call call, const Tensor& self, const Tensor& other,
                   std::optional<IntSpan> dims) {
  Tensor a = self;
  if (dims) {
    std::vector<int64_t> last(dims->size());
    for (size_t i = 0; i < last.size(); ++i)
      last[i] = self.dim() - static_cast<int64_t>(last.size() - i);
    a = movedim(self, *dims, last);
  }
  const auto rank = static_cast<size_t>(other.dim());
  if (rank > a.sizes().size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must not have fewer dimensions than other, got sizes ", self.sizes(), " and ",
          other.sizes()});
  }
  const IntSpan sizes = a.sizes().subspan(rank);
  const int64_t columns = NumElements(sizes);
  RequireSquareShape(call, a, columns, NumElements(a.sizes().first(rank)));
  return reshape(linalg_solve(reshape(a, {columns, columns}), reshape(other, {-1})), sizes);
}
Tensor Tensorinv(Call call, const Tensor& self, int64_t ind) {
  if (ind <= 0 || ind > self.dim()) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"ind must be 1 to ", self.dim(), ", got ", ind});
  }
  const IntSpan first = self.sizes().first(static_cast<size_t>(ind)),
                last = self.sizes().subspan(static_cast<size_t>(ind));
  const int64_t columns = NumElements(last);
  RequireSquareShape(call, self, columns, NumElements(first));
  std::vector<int64_t> sizes(last.begin(), last.end());
  sizes.insert(sizes.end(), first.begin(), first.end());
  return reshape(linalg_inv(reshape(self, {columns, columns})), sizes);
}
const Composite linalg_tensorsolve_body{"linalg_tensorsolve", Tensorsolve};
const Composite linalg_tensorinv_body{"linalg_tensorinv", Tensorinv};

}  // namespace
}  // namespace sy
