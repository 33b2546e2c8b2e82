// take_along_dim by gather of what broadcasts.

#include <array>
#include <optional>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// The sizes of one tensor with the size at dim of another.
std::vector<int64_t> SizesWith(const Tensor& t, int64_t dim, const Tensor& other) {
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes[static_cast<size_t>(dim)] = other.size(dim);
  return sizes;
}
// As positions from 0 to n - 1, around which others wrap.
Tensor WrappedPositions(const Tensor& indices, int64_t n) {
  if (indices.numel() == 0) return indices;
  // What is another tensor in each example (vmap) has no values to look at.
  const bool has_values = indices.is_host() && LayersOfKey(indices.key()) == 0;
  const bool fit =
      has_values && item(min(indices)).To<int64_t>() >= 0 && item(max(indices)).To<int64_t>() < n;
  return fit ? indices : remainder(indices, n);
}
Tensor TakeAlongDim(Call call, const Tensor& self, const Tensor& indices,
                    std::optional<int64_t> dim) {
  if (indices.dtype() != DType::kInt64) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"indices must be int64, got ", indices.dtype()});
  }
  if (!dim) return gather(reshape(self, {-1}), 0, reshape(indices, {-1}));
  const int64_t d = WrapDimOf(call, *dim, self);
  if (indices.dim() != self.dim()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"indices must have as many dimensions as self, ", self.dim(), ", got ", indices.dim()});
  }
  std::array<int64_t, kMaxRank> sizes;
  const auto expanded = [&](const Tensor& t, const Tensor& other) {
    const int rank = Broadcast(t.sizes(), SizesWith(other, d, t), sizes.data(), call.op());
    return expand(t, IntSpan(sizes.data(), static_cast<size_t>(rank)));
  };
  if (self.size(d) == 0 && indices.numel() != 0) {
    Fail(ErrorCode::kIndexOutOfRange, call.op(),
         {"dimension ", d, " of sizes ", self.sizes(), " has no positions"});
  }
  const Tensor index = expanded(WrappedPositions(indices, self.size(d)), self);
  return gather(expanded(self, indices), d, index);
}
const Composite take_along_dim_body{"take_along_dim", TakeAlongDim};

}  // namespace
}  // namespace sy
