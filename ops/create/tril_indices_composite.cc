// tril_indices and triu_indices into tensors that are given.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void TrilIndicesOut(Call, int64_t row, int64_t col, int64_t offset, const Tensor& out) {
  const Tensor t = tril_indices(row, col, offset, out.dtype(), std::nullopt, out.device());
  copy_(resize_(out, t.sizes()), t);
}
void TriuIndicesOut(Call, int64_t row, int64_t col, int64_t offset, const Tensor& out) {
  const Tensor t = triu_indices(row, col, offset, out.dtype(), std::nullopt, out.device());
  copy_(resize_(out, t.sizes()), t);
}
const Composite tril_indices_out_body{"tril_indices.out", TrilIndicesOut};
const Composite triu_indices_out_body{"triu_indices.out", TriuIndicesOut};

}  // namespace
}  // namespace sy
