// Rows of weight, one for each index.
//   weight: [n, d], any dtype; indices: any sizes, int64 or int32, each 0 … n - 1   →   indices'
//   sizes and d; padding_idx, scale_grad_by_freq, sparse: for gradients alone
// Errors: kInvalidArgument when weight is no matrix or indices are no integers, kIndexOutOfRange
// for an index out of range.
// Example: sy::embedding(x, index)
// Source: ATen embedding.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EmbeddingShape(ShapeContext& r, const TensorBase& weight, const TensorBase& indices,
                    int64_t /*padding_idx*/, bool /*scale_grad_by_freq*/, bool /*sparse*/) {
  if (weight.dim() != 2) r.Fail({"weight must be a matrix, got sizes ", weight.sizes()});
  if (indices.dtype() != DType::kInt64 && indices.dtype() != DType::kInt32)
    r.Fail({"indices must be int64 or int32, got ", indices.dtype()});
  int64_t* sizes = r.Ints(indices.dim() + 1);
  std::copy_n(indices.sizes().data(), indices.dim(), sizes);
  sizes[indices.dim()] = weight.sizes()[1];
  r.Output(IntSpan(sizes, static_cast<size_t>(indices.dim() + 1)), weight.dtype());
}

}  // namespace

const Operator embedding_op{
    "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
    "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    EmbeddingShape, kOut};

}  // namespace sy
