// Gradients of attention.
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
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
// The weights W = softmax(s Q Kᵀ + mask), made of Q and K anew: logsumexp has no history. Each head
// of key and value serves as many of query. 16-bit floats are computed in float32.
struct Weights {
  Weights(const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p,
          bool is_causal, const Tensor& attn_mask, Optional<double> scale)
      : s(scale ? *scale : 1 / std::sqrt(static_cast<double>(query.size(-1)))),
        of_key(key.size(1)),
        each(of_key == 0 ? 1 : query.size(1) / of_key),
        q(Wide(query)),
        k(Repeated(Wide(key))),
        v(Repeated(Wide(value))) {
    if (dropout_p != 0) {
      Fail(ErrorCode::kNotImplemented, "_scaled_dot_product_flash_attention_for_cpu_backward",
           {"has no gradient with dropout_p ", dropout_p, ", 0 has"});
    }
    Tensor scores = mul(matmul(q, mT(k)), s);
    const double below = -std::numeric_limits<double>::infinity();
    if (is_causal) {
      const Tensor columns = arange(k.size(-2), DType::kInt64, std::nullopt, q.device()),
                   rows = unsqueeze(arange(q.size(-2), DType::kInt64, std::nullopt, q.device()), 1);
      scores = masked_fill(scores, gt(columns, rows), below);
    }
    if (attn_mask.defined()) {
      scores = attn_mask.dtype() == DType::kBool
                   ? masked_fill(scores, logical_not(attn_mask), below)
                   : add(scores, attn_mask);
    }
    w = _safe_softmax(scores, -1);
  }

  static Tensor Wide(const Tensor& t) {
    const bool half = t.dtype() == DType::kFloat16 || t.dtype() == DType::kBFloat16;
    return half ? to(t, DType::kFloat32) : t;
  }
  Tensor Repeated(const Tensor& t) const {
    const int64_t n = t.size(0), rows = t.size(2), width = t.size(3);
    if (each == 1) return t;
    return reshape(expand(unsqueeze(t, 2), {n, of_key, each, rows, width}),
                   {n, of_key * each, rows, width});
  }
  Tensor Gathered(const Tensor& t) const {
    const int64_t n = t.size(0), rows = t.size(2), width = t.size(3);
    return each == 1 ? t : sum(reshape(t, {n, of_key, each, rows, width}), {2});
  }
  // Of what is added to the scores; g: of the result.
  Tensor OfScores(const Tensor& g) const {
    const Tensor of_w = matmul(g, mT(v));
    return mul(w, sub(of_w, sum(mul(of_w, w), {-1}, true)));
  }

  double s;
  int64_t of_key, each;
  Tensor q, k, v, w;
};

Tensor MaskGrad(const Grad& g, const Tensor& query, const Tensor& key, const Tensor& value,
                double dropout_p, bool is_causal, const Tensor& attn_mask, Optional<double> scale) {
  if (!g.defined(0)) return {};
  const Weights weights(query, key, value, dropout_p, is_causal, attn_mask, scale);
  return weights.OfScores(Weights::Wide(g[0]));
}
const Gradient attention_grad{"_scaled_dot_product_flash_attention_for_cpu", Constant({1}),
                              ForAll({"query", "key", "value"}, AttentionGrad),
                              For("attn_mask", MaskGrad)};

// Where it is recorded.
std::tuple<Tensor, Tensor, Tensor> AttentionBackward(const Tensor& grad, const Tensor& query,
                                                     const Tensor& key, const Tensor& value,
                                                     const Tensor&, const Tensor&, double dropout_p,
                                                     bool is_causal, const Tensor& attn_mask,
                                                     Optional<double> scale) {
  const Weights of(query, key, value, dropout_p, is_causal, attn_mask, scale);
  const Tensor g = Weights::Wide(grad), of_scores = mul(of.OfScores(g), of.s);
  return {to(matmul(of_scores, of.k), query.dtype()),
          to(of.Gathered(matmul(mT(of_scores), of.q)), key.dtype()),
          to(of.Gathered(matmul(mT(of.w), g)), value.dtype())};
}
const Decomposition attention_backward_parts{"_scaled_dot_product_flash_attention_for_cpu_backward",
                                             AttentionBackward};

}  // namespace
}  // namespace sy
