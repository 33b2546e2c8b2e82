// Attention: block by block where nothing is dropped, else by products and softmax.
// Source: ATen/native/transformers/attention.cpp.

#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "switchyard/core/checked.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// What a bool mask adds to the scores.
Tensor Added(const Tensor& mask, DType dtype) {
  if (mask.dtype() != DType::kBool) return to(mask, dtype);
  const Tensor zeros_of_mask = zeros(mask.sizes(), dtype, ::std::nullopt, mask.device());
  return masked_fill_(zeros_of_mask, logical_not(mask), -std::numeric_limits<double>::infinity());
}

// Each head n times, one beside the other.
Tensor Repeated(Call call, const Tensor& t, int64_t n) {
  if (n == 1) return t;
  ::std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  const size_t heads = sizes.size() - 3;
  ::std::vector<int64_t> wide = sizes;
  wide.insert(wide.begin() + static_cast<int64_t>(heads) + 1, n);
  sizes[heads] = CheckedProduct(call, "the number of heads", sizes[heads], n);
  return reshape(expand(unsqueeze(t, -3), wide), sizes);
}

Tensor ByProducts(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask,
                  double dropout_p, bool is_causal, double scale) {
  const DType given = query.dtype();
  const DType wide = Contains(kHalfTypes, given) ? DType::kFloat32 : given;
  const double root = ::std::sqrt(::std::abs(scale));
  const Tensor q = mul(to(query, wide), ::std::copysign(root, scale)),
               k = mul(transpose(to(key, wide), -2, -1), root);
  Tensor scores = matmul(q, k);
  if (is_causal) {
    const int64_t l = query.size(-2), s = key.size(-2);
    const Tensor columns = arange(s, DType::kInt64, ::std::nullopt, query.device()),
                 rows = unsqueeze(arange(l, DType::kInt64, ::std::nullopt, query.device()), 1);
    scores = masked_fill(scores, gt(columns, rows), -std::numeric_limits<double>::infinity());
  } else if (mask.defined()) {
    scores = add(scores, Added(mask, wide));
  }
  const Tensor weights = _safe_softmax(scores, -1);
  return to(matmul(dropout(weights, dropout_p, dropout_p > 0), to(value, wide)), given);
}

Tensor Attention(Call call, const Tensor& query, const Tensor& key, const Tensor& value,
                 const Tensor& mask, double dropout_p, bool is_causal, Optional<double> scale,
                 bool enable_gqa) {
  if (query.dim() < 2 || key.dim() < 2 || value.dim() < 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"query, key and value must have at least 2 dimensions, got sizes ", query.sizes(), ", ",
          key.sizes(), " and ", value.sizes()});
  }
  if (query.dtype() != key.dtype() || query.dtype() != value.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"query, key and value must have one dtype, got ", query.dtype(), ", ", key.dtype(),
          " and ", value.dtype()});
  }
  if (mask.defined() && is_causal) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"attn_mask and is_causal exclude one another, got both"});
  }
  const double factor = scale.value_or(1 / ::std::sqrt(static_cast<double>(query.size(-1))));
  const int64_t rank = query.dim();
  const bool same_rank = rank == key.dim() && rank == value.dim();
  const int64_t groups = enable_gqa && rank >= 3 && key.dim() >= 3 && key.size(-3) != 0
                             ? query.size(-3) / key.size(-3)
                             : 1;
  const bool blocks = dropout_p == 0 && same_rank && (rank == 3 || rank == 4) &&
                      query.size(0) == key.size(0) && query.size(0) == value.size(0) &&
                      (rank == 3 || key.size(1) == value.size(1)) &&
                      (rank == 3 || query.size(1) == key.size(1) * groups) &&
                      Contains(kFloatingTypes, query.dtype()) && query.numel() != 0 &&
                      key.numel() != 0 && value.numel() != 0;
  if (!blocks) {
    return ByProducts(query, Repeated(call, key, groups), Repeated(call, value, groups), mask,
                      dropout_p, is_causal, factor);
  }
  if (rank == 4) {
    const Tensor out = ::std::get<0>(
        _scaled_dot_product_flash_attention_for_cpu(query, key, value, 0, is_causal, mask, factor));
    return groups == 1 ? out : contiguous(out);
  }
  // Three dimensions are batches of one head.
  const Tensor heads = mask.defined() && mask.dim() == 3 ? unsqueeze(mask, 1) : mask;
  return squeeze(::std::get<0>(_scaled_dot_product_flash_attention_for_cpu(
                     unsqueeze(query, 1), unsqueeze(key, 1), unsqueeze(value, 1), 0, is_causal,
                     heads, factor)),
                 1);
}
const Composite attention_body{"scaled_dot_product_attention", Attention};

}  // namespace
}  // namespace sy
