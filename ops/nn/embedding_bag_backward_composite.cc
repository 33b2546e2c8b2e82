// Gradients of embedding_bag by its rows.
// Source: ATen/native/EmbeddingBag.cpp.

#include "ops/nn/bags_composite.h"
#include "ops/nn/row_gradients_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int64_t kMean = 1, kMaximum = 2;

Tensor BagsOf(const Tensor& indices, const Tensor& offsets, const Tensor& offset2bag,
              int64_t bags) {
  if (offset2bag.numel() != 0 || indices.numel() == 0) return offset2bag;
  return BagOfEach(indices, narrow(offsets, 0, 0, bags));
}

Tensor Backward(Call call, const Tensor& grad, const Tensor& indices, const Tensor& offsets,
                const Tensor& offset2bag, const Tensor& bag_size, const Tensor& maximum_indices,
                int64_t num_weights, bool by_frequency, int64_t mode, bool sparse,
                const Tensor& per_sample_weights, int64_t padding_idx) {
  if (sparse) Fail(ErrorCode::kInvalidArgument, call.op(), {"sparse gradients are not supported"});
  const int64_t bags = grad.dim() == 0 ? 0 : grad.size(0);
  return _embedding_bag_dense_backward(grad, indices, BagsOf(indices, offsets, offset2bag, bags),
                                       bag_size, maximum_indices, num_weights, by_frequency, mode,
                                       per_sample_weights, padding_idx);
}

void DenseBackward(Call, const Tensor& out, const Tensor& grad, const Tensor& indices,
                   const Tensor& offset2bag, const Tensor& bag_size, const Tensor& maximum_indices,
                   int64_t num_weights, bool by_frequency, int64_t mode,
                   const Tensor& per_sample_weights, int64_t padding_idx) {
  const DType dtype = grad.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  Tensor of_bags = to(grad, dtype);
  if (mode == kMaximum) {
    const Tensor given = masked_fill(of_bags, unsqueeze(eq(bag_size, 0), 1), 0);
    const Tensor at = to(maximum_indices, DType::kInt64);
    copy_(out, scatter_add_(new_zeros(given, out.sizes()), 0, at, given));
    return;
  }
  if (mode == kMean) of_bags = div(of_bags, unsqueeze(clamp_min(to(bag_size, dtype), 1), 1));
  Tensor rows = index_select(of_bags, 0, offset2bag);
  if (per_sample_weights.defined()) rows = mul(rows, unsqueeze(to(per_sample_weights, dtype), 1));
  AddRowGradients(out, rows, indices, num_weights, padding_idx, by_frequency);
}

void WeightsBackward(Call, const Tensor& out, const Tensor& grad, const Tensor& weight,
                     const Tensor& indices, const Tensor& offsets, const Tensor& offset2bag,
                     int64_t, int64_t padding_idx) {
  const DType dtype = grad.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  const Tensor bag = BagsOf(indices, offsets, offset2bag, grad.size(0));
  const Tensor given = to(index_select(grad, 0, bag), dtype);
  const int64_t last = 1;
  const Tensor sums =
      sum(mul(given, to(index_select(weight, 0, indices), dtype)), IntSpan(&last, 1));
  copy_(out, padding_idx < 0 ? sums : masked_fill(sums, eq(indices, padding_idx), 0));
}

const Composite backward_body{"_embedding_bag_backward", Backward};
const Composite dense_body{"_embedding_bag_dense_backward", DenseBackward};
const Composite weights_body{"_embedding_bag_per_sample_weights_backward", WeightsBackward};

}  // namespace
}  // namespace sy
