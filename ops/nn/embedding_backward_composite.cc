// Gradients of embedding, added up by index_add in the order of the indices, and its renorm.
// Source: ATen/native/Embedding.cpp.

#include "ops/nn/row_gradients_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void DenseBackward(Call, const Tensor& out, const Tensor& grad_output, const Tensor& indices,
                   int64_t num_weights, int64_t padding_idx, bool by_frequency) {
  const Tensor index = reshape(indices, {indices.numel()});
  const Tensor rows = reshape(grad_output, {indices.numel(), out.size(1)});
  AddRowGradients(out, rows, index, num_weights, padding_idx, by_frequency);
}
Tensor Backward(Call call, const Tensor& grad, const Tensor& indices, int64_t num_weights,
                int64_t padding_idx, bool by_frequency, bool sparse) {
  if (sparse) Fail(ErrorCode::kInvalidArgument, call.op(), {"sparse gradients are not supported"});
  return embedding_dense_backward(grad, indices, num_weights, padding_idx, by_frequency);
}

// A row that is named twice is written twice, with the same values.
void Renorm(Call, const Tensor& out, const Tensor& /*self*/, const Tensor& indices, double max_norm,
            double norm_type) {
  const int64_t last = 1;
  const DType dtype = out.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  const Tensor index = to(reshape(indices, {indices.numel()}), DType::kInt64);
  const Tensor rows = index_select(out, 0, index);
  const Tensor norms = to(linalg_vector_norm(rows, norm_type, IntSpan(&last, 1), true), dtype);
  const Tensor factor = mul(reciprocal(add(norms, 1e-7)), max_norm);
  const Tensor shorter = to(mul(to(rows, dtype), factor), out.dtype());
  index_copy_(out, 0, index, where(gt(norms, max_norm), shorter, rows));
}

const Composite dense_body{"embedding_dense_backward", DenseBackward};
const Composite backward_body{"embedding_backward", Backward};
const Composite renorm_body{"embedding_renorm", Renorm};

}  // namespace
}  // namespace sy
