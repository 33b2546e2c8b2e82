// Blocks of queries against all keys: scores are computed again, and never kept for more than one
// block. 16-bit floats are computed in float32 and rounded once.
// Source of the order: T. Dao and others, "FlashAttention: Fast and Memory-Efficient Exact
// Attention with IO-Awareness", 2022, appendix B.2.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Scores of a block: so many numbers at most, but for one row each.
constexpr int64_t kScores = int64_t{1} << 22;

void Check(Call call, const Tensor& grad, const Tensor& query, const Tensor& key,
           const Tensor& value, const Tensor& out, const Tensor& sums, double dropout_p,
           bool is_causal, const Tensor& mask) {
  for (const Tensor* t : {&grad, &query, &key, &value, &out}) {
    if (t->dim() != 4) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"grad_out, query, key, value and out must have 4 dimensions, got sizes ", t->sizes()});
    }
    if (t->dtype() != query.dtype()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"grad_out, query, key, value and out must have one dtype, got ", query.dtype(), " and ",
            t->dtype()});
    }
  }
  if (!Contains(kFloatingTypes, query.dtype()))
    Fail(ErrorCode::kNotImplemented, call.op(), {"query must be floating, got ", query.dtype()});
  const IntSpan q = query.sizes(), k = key.sizes(), v = value.sizes();
  const bool grouped = k[1] > 0 && q[1] % k[1] == 0;
  if (q[0] != k[0] || k[0] != v[0] || k[1] != v[1] || (q[1] != k[1] && !grouped) || q[3] != k[3] ||
      k[2] != v[2]) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"sizes do not fit: query is ", q, ", key is ", k, ", value is ", v});
  }
  const int64_t result[] = {q[0], q[1], q[2], v[3]}, scores[] = {q[0], q[1], q[2], k[2]};
  if (!SameSizes(grad.sizes(), result) || !SameSizes(out.sizes(), result) ||
      !SameSizes(sums.sizes(), IntSpan(result, 3))) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"grad_out and out must have sizes ", IntSpan(result), ", logsumexp those but the last, ",
          "got ", grad.sizes(), ", ", out.sizes(), " and ", sums.sizes()});
  }
  if (dropout_p != 0)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"dropout_p must be 0, got ", dropout_p});
  if (!mask.defined()) return;
  if (is_causal) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"attn_mask and is_causal exclude one another, got both"});
  }
  if (!IsExpandable(mask.sizes(), scores)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"attn_mask must broadcast to ", IntSpan(scores), ", got sizes ", mask.sizes()});
  }
}

// Each head n times, one beside the other.
Tensor Repeated(const Tensor& t, int64_t n) {
  if (n == 1) return t;
  const IntSpan s = t.sizes();
  return reshape(expand(unsqueeze(t, 2), {s[0], s[1], n, s[2], s[3]}),
                 {s[0], s[1] * n, s[2], s[3]});
}
// The sums of what n heads beside one another have.
Tensor Gathered(const Tensor& t, int64_t n) {
  if (n == 1) return t;
  const IntSpan s = t.sizes();
  return sum(reshape(t, {s[0], s[1] / n, n, s[2], s[3]}), {2});
}

// t as ATen lays it out: heads of a position beside one another.
Tensor HeadsInside(const Tensor& t, DType dtype) {
  return transpose(contiguous(transpose(to(t, dtype), 1, 2)), 1, 2);
}

// What scores of queries first … first + n - 1 become: scaled, masked.
void Weigh(const Tensor& scores, const Tensor& mask, bool is_causal, double scale, int64_t first) {
  mul_(scores, scale);
  constexpr double kHidden = -::std::numeric_limits<double>::infinity();
  if (is_causal) {
    const Device device = scores.device();
    const Tensor columns = arange(scores.size(3), DType::kInt64, std::nullopt, device),
                 rows = arange(first, first + scores.size(2), DType::kInt64, std::nullopt, device);
    masked_fill_(scores, gt(columns, unsqueeze(rows, 1)), kHidden);
  }
  if (!mask.defined()) return;
  const Tensor part = narrow(mask, 2, first, scores.size(2));
  mask.dtype() == DType::kBool ? masked_fill_(scores, logical_not(part), kHidden)
                               : add_(scores, to(part, scores.dtype()));
}

std::tuple<Tensor, Tensor, Tensor> Backward(Call call, const Tensor& grad_out, const Tensor& query,
                                            const Tensor& key, const Tensor& value,
                                            const Tensor& out, const Tensor& logsumexp,
                                            double dropout_p, bool is_causal,
                                            const Tensor& attn_mask, Optional<double> scale) {
  Check(call, grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask);
  const DType given = query.dtype();
  const DType wide = Contains(kHalfTypes, given) ? DType::kFloat32 : given;
  const int64_t l = query.size(2), s = key.size(2), heads = query.size(1),
                groups = key.size(1) == 0 ? 1 : heads / key.size(1);
  const double factor = scale.value_or(1 / ::std::sqrt(static_cast<double>(query.size(3))));
  const Tensor q = to(query, wide), k = Repeated(to(key, wide), groups),
               v = Repeated(to(value, wide), groups), g = to(grad_out, wide);
  const auto zeros_of = [&](const Tensor& t) {
    return zeros(t.sizes(), wide, ::std::nullopt, t.device());
  };
  const Tensor of_q = zeros_of(q), of_k = zeros_of(k), of_v = zeros_of(v);
  const int64_t each = ::std::max<int64_t>(1, query.size(0) * heads * s);
  const int64_t most = ::std::clamp<int64_t>(kScores / each, 1, ::std::max<int64_t>(1, l));
  const bool empty = q.numel() == 0 || k.numel() == 0 || v.numel() == 0;
  const Tensor mask =
      attn_mask.defined() && !empty ? expand(attn_mask, {query.size(0), heads, l, s}) : Tensor();
  // A row that sees nothing has no sum: its weights are exp(-inf - 0).
  const Tensor sums =
      unsqueeze(masked_fill(to(logsumexp, wide),
                            eq(logsumexp, -::std::numeric_limits<double>::infinity()), 0),
                3);
  for (int64_t first = 0; first < l && !empty; first += most) {
    const int64_t n = ::std::min(most, l - first);
    const auto block = [&](const Tensor& t) { return narrow(t, 2, first, n); };
    const Tensor q_block = block(q), g_block = block(g);
    const Tensor weights = matmul(q_block, transpose(k, 2, 3));
    Weigh(weights, mask, is_causal, factor, first);
    exp_(sub_(weights, block(sums)));
    add_(of_v, matmul(transpose(weights, 2, 3), g_block));
    // What scores get: weights (g v^T - sum(g out)).
    const Tensor part = matmul(g_block, transpose(v, 2, 3));
    sub_(part, sum(mul(g_block, to(block(out), wide)), {3}, /*keepdim=*/true));
    mul_(mul_(part, weights), factor);
    copy_(block(of_q), matmul(part, k));
    add_(of_k, matmul(transpose(part, 2, 3), q_block));
  }
  return {HeadsInside(of_q, given), HeadsInside(Gathered(of_k, groups), given),
          HeadsInside(Gathered(of_v, groups), given)};
}

const Composite backward_body{"_scaled_dot_product_flash_attention_for_cpu_backward", Backward};

}  // namespace
}  // namespace sy
