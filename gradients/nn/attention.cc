// Gradients of attention.
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/gradients/refused.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void AttentionGrad(const Grad& g, Output<0> y, Output<1> logsumexp, const Tensor& query,
                   const Tensor& key, const Tensor& value, double dropout_p, bool is_causal,
                   const Tensor& attn_mask, Optional<double> scale, Gradients& out) {
  auto [of_query, of_key, of_value] = _scaled_dot_product_flash_attention_for_cpu_backward(
      g.or_zeros(0), query, key, value, y, logsumexp, dropout_p, is_causal, attn_mask, scale);
  out.Set(0, std::move(of_query));
  out.Set(1, std::move(of_key));
  out.Set(2, std::move(of_value));
}

// What a backward is made of where it is recorded: the weights W = softmax(s Q Kᵀ + mask), made of
// Q and K anew, since logsumexp has no history.
struct Parts {
  int64_t each;          // heads of the query for each of key and value
  Tensor q, k, v, grad;  // wide, key and value once for each head of the query
  Tensor w, of_scores;   // the weights, and the gradient of what softmax was given

  // The sums of what heads that shared one of key and value got.
  Tensor Gathered(const Tensor& t) const {
    const int64_t n = t.size(0), heads = t.size(1), rows = t.size(2), width = t.size(3);
    return each == 1 ? t : sum(reshape(t, {n, heads / each, each, rows, width}), {2});
  }
};
double Factor(const Tensor& query, Optional<double> scale) {
  return scale ? *scale : 1 / std::sqrt(static_cast<double>(query.size(-1)));
}
Parts PartsOf(const Tensor& grad, const Tensor& query, const Tensor& key, const Tensor& value,
              double dropout_p, bool is_causal, const Tensor& attn_mask, Optional<double> scale) {
  if (dropout_p != 0) {
    Fail(ErrorCode::kNotImplemented, "_scaled_dot_product_flash_attention_for_cpu_backward",
         {"has no gradient with dropout_p ", dropout_p, ", 0 has"});
  }
  const bool half = query.dtype() == DType::kFloat16 || query.dtype() == DType::kBFloat16;
  const auto wide = [&](const Tensor& t) { return half ? to(t, DType::kFloat32) : t; };
  const int64_t heads = query.size(1), of_key = key.size(1);
  const int64_t each = of_key == 0 ? 1 : heads / of_key;
  const auto repeated = [&](const Tensor& t) {
    const int64_t n = t.size(0), rows = t.size(2), width = t.size(3);
    if (each == 1) return t;
    return reshape(expand(unsqueeze(t, 2), {n, of_key, each, rows, width}),
                   {n, heads, rows, width});
  };
  const Tensor q = wide(query), k = repeated(wide(key)), v = repeated(wide(value)), g = wide(grad);
  Tensor scores = mul(matmul(q, mT(k)), Factor(query, scale));
  const double below = -std::numeric_limits<double>::infinity();
  if (is_causal) {
    const Tensor columns = arange(k.size(-2), DType::kInt64, std::nullopt, q.device()),
                 rows = unsqueeze(arange(q.size(-2), DType::kInt64, std::nullopt, q.device()), 1);
    scores = masked_fill(scores, gt(columns, rows), below);
  }
  if (attn_mask.defined()) {
    scores = attn_mask.dtype() == DType::kBool ? masked_fill(scores, logical_not(attn_mask), below)
                                               : add(scores, attn_mask);
  }
  const Tensor w = _safe_softmax(scores, -1);
  const Tensor of_w = matmul(g, mT(v));
  return {each, q, k, v, g, w, mul(w, sub(of_w, sum(mul(of_w, w), {-1}, true)))};
}

std::tuple<Tensor, Tensor, Tensor> AttentionBackward(const Tensor& grad, const Tensor& query,
                                                     const Tensor& key, const Tensor& value,
                                                     const Tensor& out, const Tensor& logsumexp,
                                                     double dropout_p, bool is_causal,
                                                     const Tensor& attn_mask,
                                                     Optional<double> scale) {
  RequireFit(SameSizes(out.sizes(), grad.sizes()) && out.dim() > 0 &&
             SameSizes(logsumexp.sizes(), out.sizes().first(out.sizes().size() - 1)));
  const Parts p = PartsOf(grad, query, key, value, dropout_p, is_causal, attn_mask, scale);
  const Tensor of_products = mul(p.of_scores, Factor(query, scale));
  return {to(matmul(of_products, p.k), query.dtype()),
          to(p.Gathered(matmul(mT(of_products), p.q)), key.dtype()),
          to(p.Gathered(matmul(mT(p.w), p.grad)), value.dtype())};
}
const Decomposition attention_backward_parts{"_scaled_dot_product_flash_attention_for_cpu_backward",
                                             AttentionBackward};

// A mask of numbers, such as a bias that is learned, is added to the scores. ATen's operator has no
// gradient for it, and PyTorch computes attention another way where one is asked for.
Tensor AttentionMask(const Grad& g, const Tensor& query, const Tensor& key, const Tensor& value,
                     double dropout_p, bool is_causal, const Tensor& attn_mask,
                     Optional<double> scale) {
  return PartsOf(g.or_zeros(0), query, key, value, dropout_p, is_causal, attn_mask, scale)
      .of_scores;
}
const Gradient attention_grad{"_scaled_dot_product_flash_attention_for_cpu", Constant({1}),
                              ForAll({"query", "key", "value"}, AttentionGrad),
                              For("attn_mask", AttentionMask)};

}  // namespace
}  // namespace sy
