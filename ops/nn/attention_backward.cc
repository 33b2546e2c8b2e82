// What attention passes back to query, key and value, by the logarithms of the sums of exponentials
// that it has saved.
//   grad_out, out: [b, heads, l, f]; query: [b, heads, l, e], key: [b, kv, s, e], value: [b, kv, s,
//   f], heads a multiple of kv, one floating dtype; logsumexp: [b, heads, l]; dropout_p: 0;
//   is_causal, attn_mask, scale: as _scaled_dot_product_flash_attention_for_cpu's   →   sizes and
//   dtype of query, of key, of value, heads beside one another
// Rows whose scores are all masked pass nothing back.
// Errors: kInvalidArgument for other ranks, sizes or dtypes that do not fit, dropout, and a mask
// together with is_causal; kNotImplemented for other dtypes.
// Example: sy::_scaled_dot_product_flash_attention_for_cpu_backward(x, x, x, x, x, y, 0, false)
// Source: ATen _scaled_dot_product_flash_attention_for_cpu_backward.
#include "switchyard/op/operator.h"

namespace sy {

const Operator flash_attention_backward_op{
    "_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor "
    "key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? "
    "attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    KeyRule::kFirst};

}  // namespace sy
