// block_diag: zeros, with each matrix copied to its place.

#include <optional>
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/core/promotion.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

Tensor BlockDiag(Call call, TensorList tensors) {
  if (tensors.empty()) return empty({1, 0});
  TypePromotion types;
  List blocks;
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].dim() > 2) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"tensor ", i, " must have at most 2 dimensions, got sizes ", tensors[i].sizes()});
    }
    types.Add(tensors[i]);
    blocks.push_back(atleast_2d(tensors[i]));
    rows = CheckedSum(call, "the number of rows", rows, blocks[i].sizes()[0]);
    columns = CheckedSum(call, "the number of columns", columns, blocks[i].sizes()[1]);
  }
  const Tensor out = zeros({rows, columns}, types.Result(), std::nullopt, tensors[0].device());
  int64_t row = 0, column = 0;
  for (const Tensor& block : blocks) {
    const int64_t m = block.sizes()[0], n = block.sizes()[1];
    copy_(narrow(narrow(out, 0, row, m), 1, column, n), block);
    row += m;
    column += n;
  }
  return out;
}
const Composite block_diag_body{"block_diag", BlockDiag};

}  // namespace
}  // namespace sy
