// Attention: softmax(query key^T scale + mask) value.
//   query: [.., heads, l, e], key: [.., heads, s, e], value: [.., heads, s, f], one floating dtype;
//   attn_mask: broadcasts to [.., heads, l, s]: bool (true: takes part) or added to the scores;
//   is_causal: position i sees the first i + 1 of s; scale: 1 / sqrt(e) unless given; enable_gqa:
//   query may have a multiple of key's and value's heads   →   [.., heads, l, f]
// Rows whose scores are all masked give zeros. With dropout_p, elements of the softmax are dropped
// as dropout does. _scaled_dot_product_flash_attention_for_cpu takes 4-d tensors, without dropout,
// computes block by block, and also gives the logarithm of the sums of exponentials: [b, heads, l].
// Errors: kInvalidArgument for fewer than 2 dimensions, sizes or dtypes that do not fit, and a mask
// together with is_causal.
// Example: sy::scaled_dot_product_attention(x, x, x)
// Source: ATen scaled_dot_product_attention, _scaled_dot_product_flash_attention_for_cpu.
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void FlashShape(ShapeContext& r, const TensorBase& query, const TensorBase& key,
                const TensorBase& value, double dropout_p, bool is_causal, const TensorBase& mask,
                Optional<double> /*scale*/) {
  if (query.dim() != 4 || key.dim() != 4 || value.dim() != 4) {
    r.Fail({"query, key and value must have 4 dimensions, got sizes ", query.sizes(), ", ",
            key.sizes(), " and ", value.sizes()});
  }
  RequireDType(r, query, kFloatingTypes, "query");
  RequireSameDType(r, query, key, "query", "key");
  RequireSameDType(r, query, value, "query", "value");
  const IntSpan q = query.sizes(), k = key.sizes(), v = value.sizes();
  const bool grouped = k[1] > 0 && q[1] % k[1] == 0;
  if (q[0] != k[0] || k[0] != v[0] || k[1] != v[1] || (q[1] != k[1] && !grouped) || q[3] != k[3] ||
      k[2] != v[2]) {
    r.Fail({"sizes do not fit: query is ", q, ", key is ", k, ", value is ", v});
  }
  if (dropout_p != 0) r.Fail({"dropout_p must be 0, got ", dropout_p});
  if (mask.defined()) {
    if (is_causal) r.Fail({"attn_mask and is_causal exclude one another, got both"});
    const int64_t scores[] = {q[0], q[1], q[2], k[2]};
    if (!IsExpandable(mask.sizes(), scores))
      r.Fail({"attn_mask must broadcast to ", IntSpan(scores), ", got sizes ", mask.sizes()});
    RequireDType(r, mask, kFloatingTypes | Bit(DType::kBool), "attn_mask");
  }
  // As query lies: row by row, or, where heads are views of one row, beside one another, so that
  // merging them is a view.
  const int64_t l = q[2], heads = q[1], f = v[3];
  OutputSpec& out = r.Output({q[0], heads, l, f}, query.dtype());
  if (query.strides()[1] < query.strides()[2]) {
    int64_t* strides = r.Ints(4);
    strides[0] = CheckedProduct(r, "a batch of the result", l, heads, f);
    strides[1] = f;
    strides[2] = CheckedProduct(r, "a position of the result", heads, f);
    strides[3] = 1;
    out.strides = strides;
  }
  int64_t* sum_strides = r.Ints(3);
  sum_strides[0] = CheckedProduct(r, "a batch of sums", l, heads);
  sum_strides[1] = 1;
  sum_strides[2] = heads;
  r.Output({q[0], heads, l}, query.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32)
      .strides = sum_strides;
}

}  // namespace

const Operator scaled_dot_product_attention_op{
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
    "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> "
    "Tensor",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator flash_attention_op{
    "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float "
    "dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor "
    "output, Tensor logsumexp)",
    Outputs<2>(FlashShape)};

}  // namespace sy
