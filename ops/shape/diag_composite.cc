// diag, diagflat and diag_embed by diagonal.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor DiagEmbed(Call call, const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t rank = self.dim() + 1;
  const auto wrap = [&](int64_t d) {
    if (self.dim() == 0 || d < -rank || d >= rank) {
      Fail(ErrorCode::kOutOfRange, call.op(),
           {"dim ", d, " is out of range for sizes ", self.sizes(), " and one dimension more"});
    }
    return d < 0 ? d + rank : d;
  };
  const int64_t first = wrap(dim1), second = wrap(dim2);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (first == second) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dim1 and dim2 must be different dimensions, "
          "got ",
          dim1, " and ", dim2});
  }
  int64_t side = 0;
  if (offset < -kMost || __builtin_add_overflow(self.size(-1), std::abs(offset), &side)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"offset ", offset, " is too large for sizes ", self.sizes()});
  }
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
  sizes.insert(sizes.begin() + std::min(first, second), side);
  sizes.insert(sizes.begin() + std::max(first, second), side);
  const Tensor out = new_zeros(self, sizes);
  copy_(diagonal(out, offset, first, second), self);
  return out;
}
Tensor Diag(Call call, const Tensor& self, int64_t offset) {
  if (self.dim() != 1 && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be 1-d or 2-d, got sizes ", self.sizes()});
  }
  return self.dim() == 1 ? diag_embed(self, offset) : diagonal_copy(self, offset);
}
Tensor Diagflat(Call, const Tensor& self, int64_t offset) {
  return diag_embed(ravel(self), offset);
}
const Composite diag_body{"diag", Diag};
const Composite diagflat_body{"diagflat", Diagflat};
const Composite diag_embed_body{"diag_embed", DiagEmbed};

}  // namespace
}  // namespace sy
