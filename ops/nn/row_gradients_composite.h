// Sums of rows by the index of each, without those of the padding: the gradients of embeddings.
//
//   AddRowGradients(out, rows, index, num_weights, padding_idx, /*by_frequency=*/false);
//
// Owns: nothing. Threads: any.
// Errors: kIndexOutOfRange for an index out of range; `out` is as it was then.
#ifndef SWITCHYARD_OPS_NN_ROW_GRADIENTS_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_ROW_GRADIENTS_COMPOSITE_H_

#include <optional>

#include "switchyard/ops.h"

namespace sy {

// 1 / how often each index occurs, in float or double as `like`'s dtype.
inline Tensor ReciprocalCounts(const Tensor& index, int64_t num_weights, DType dtype) {
  const Tensor ones = ones_like(index, dtype);
  const Tensor counts = index_add_(new_zeros(ones, {num_weights}), 0, index, ones);
  return index_select(reciprocal(counts), 0, index);
}

// out: [num_weights, d]; rows: [k, d]; index: [k], int64 or int32. 16-bit floats are summed in
// float. by_frequency: the means instead.
inline void AddRowGradients(const Tensor& out, const Tensor& rows, const Tensor& index,
                            int64_t num_weights, int64_t padding_idx, bool by_frequency) {
  const DType dtype = out.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  Tensor added = to(rows, dtype);
  if (by_frequency) added = mul(added, unsqueeze(ReciprocalCounts(index, num_weights, dtype), 1));
  if (padding_idx >= 0) added = masked_fill(added, unsqueeze(eq(index, padding_idx), 1), 0);
  if (out.dtype() != dtype || out.size(1) == 0) {
    const Tensor sums = zeros({num_weights, out.size(1)}, dtype, std::nullopt, out.device());
    copy_(out, index_add_(sums, 0, index, added));
    return;
  }
  // The sums are large, and written where they belong; a column by itself tells of a wrong index.
  index_add_(new_zeros(out, {num_weights, 1}), 0, index, narrow(added, 1, 0, 1));
  index_add_(zero_(out), 0, index, added);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_ROW_GRADIENTS_COMPOSITE_H_
