// flatten_dense_tensors: cat of rows; unflatten_dense_tensors: views of one.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Flatten(Call call, TensorList tensors) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least one tensor, got none"});
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) rows.push_back(reshape(t, -1));
  return cat(rows, 0);
}
const Composite flatten_body{"flatten_dense_tensors", Flatten};

std::vector<Tensor> Unflatten(Call call, const Tensor& flat, TensorList tensors) {
  std::vector<Tensor> pieces;
  int64_t at = 0;
  for (const Tensor& t : tensors) {
    const int64_t n = t.numel(), have = flat.dim() == 0 ? 0 : flat.sizes()[0];
    if (n == 0) {  // views nothing
      pieces.push_back(new_empty(flat, t.sizes()));
      continue;
    }
    if (n > have - at) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"flat has ", have, " elements; expected ", at, " and those of sizes ", t.sizes()});
    }
    pieces.push_back(view(narrow(flat, 0, at, n), t.sizes()));
    at += n;
  }
  return pieces;
}
const Composite unflatten_body{"unflatten_dense_tensors", Unflatten};

}  // namespace
}  // namespace sy
