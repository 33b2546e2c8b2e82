// flatten by reshape.

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Flatten(Call call, const Tensor& self, int64_t start_dim, int64_t end_dim) {
  const int64_t rank = self.dim(), n = rank == 0 ? 1 : rank;
  for (int64_t d : {start_dim, end_dim}) {
    if (d >= -n && d < n) continue;
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"dim ", d, " is out of range: expected ", -n, " to ", n - 1, " for a ", rank,
          "-d tensor"});
  }
  const int64_t first = WrapDim(start_dim, rank), last = WrapDim(end_dim, rank);
  if (first > last) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"start_dim ", start_dim, " must not come after end_dim ", end_dim});
  }
  if (rank == 0) return reshape(self, {1});
  if (first == last) return self;
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().begin() + first);
  int64_t flat = 1;
  for (int64_t d = first; d <= last; ++d) flat *= self.sizes()[static_cast<size_t>(d)];
  sizes.push_back(flat);
  sizes.insert(sizes.end(), self.sizes().begin() + last + 1, self.sizes().end());
  return reshape(self, sizes);
}
const Composite flatten_body{"flatten.using_ints", Flatten};

}  // namespace
}  // namespace sy
