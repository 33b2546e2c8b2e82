// What attention passes back: cuDNN's for short floats without a mask, where there is one, else
// what other devices compute, of operators.

#include <cmath>
#include <tuple>

#include "backends/cuda/kernels/nn/dnn_attention.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/registry.h"

namespace sy::cuda {
namespace {

using Gradients = std::tuple<Tensor, Tensor, Tensor>;
using Body = Gradients (*)(Call, const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                           const Tensor&, const Tensor&, double, bool, const Tensor&,
                           Optional<double>);

// The operator's kernel for devices without one of their own.
const KernelDef& BodyOf(const Call& call) {
  Registry& registry = Registry::Global();
  for (const KernelDef* k : registry.KernelsOf(*registry.Find(call.op()))) {
    if (k->device == nullptr && k->fn != nullptr) return *k;
  }
  Fail(ErrorCode::kNotImplemented, call.op(), {"its composite is not linked"});
}

// Whether all is as it must be, of some elements; what is not the composite refuses.
bool Fits(const Tensor& grad, const Tensor& query, const Tensor& key, const Tensor& value,
          const Tensor& out, const Tensor& sums) {
  for (const Tensor* t : {&grad, &query, &key, &value, &out}) {
    if (t->dim() != 4 || t->dtype() != query.dtype() || t->numel() == 0) return false;
  }
  const IntSpan q = query.sizes(), k = key.sizes(), v = value.sizes();
  const int64_t result[] = {q[0], q[1], q[2], v[3]};
  return q[0] == k[0] && q[0] == v[0] && k[1] == v[1] && q[1] % k[1] == 0 && q[3] == k[3] &&
         k[2] == v[2] && SameSizes(grad.sizes(), result) && SameSizes(out.sizes(), result) &&
         SameSizes(sums.sizes(), IntSpan(result, 3));
}

// As ATen lays it out: heads of a position beside one another.
Tensor HeadsInside(const Tensor& like) {
  const IntSpan s = like.sizes();
  return Tensor::EmptyStrided({s[0], s[1], s[2], s[3]}, {s[1] * s[2] * s[3], s[3], s[1] * s[3], 1},
                              like.dtype(), like.device());
}

Gradients AttentionBackward(Call call, const Tensor& grad_out, const Tensor& query,
                            const Tensor& key, const Tensor& value, const Tensor& out,
                            const Tensor& logsumexp, double dropout_p, bool is_causal,
                            const Tensor& attn_mask, Optional<double> scale) {
  if (dropout_p == 0 && !attn_mask.defined() && Fits(grad_out, query, key, value, out, logsumexp)) {
    AttentionGradients to{HeadsInside(query), HeadsInside(key), HeadsInside(value)};
    const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.sizes()[3])));
    if (DnnAttentionBackward(call, to, grad_out, query, key, value, out, logsumexp, is_causal,
                             factor))
      return {to.query, to.key, to.value};
  }
  static const KernelDef& body = BodyOf(call);
  return reinterpret_cast<Body>(body.fn)({&body, call.key}, grad_out, query, key, value, out,
                                         logsumexp, dropout_p, is_causal, attn_mask, scale);
}

const Kernel attention_backward{"_scaled_dot_product_flash_attention_for_cpu_backward", "cuda",
                                kHalfTypes, AttentionBackward};

}  // namespace
}  // namespace sy::cuda
