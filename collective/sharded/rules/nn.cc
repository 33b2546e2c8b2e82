// Layers of networks: norms over the last dimensions, attention, convolution by examples and by
// channels of its result, tables.
#include <algorithm>

#include "collective/sharded/plan_internal.h"

namespace sy::sharded {
namespace {

void Set(Plan& p, std::string_view name, const Placement& to) {
  if (const int k = p.Find(name); k >= 0) p.in[static_cast<size_t>(k)] = to;
}

// Dimensions of a tensor before those that are normalised.
int64_t Batch(const Plan& p, size_t input) {
  const Value* shape = p.Argument("normalized_shape");
  return p.dim(input) - static_cast<int64_t>(shape == nullptr ? 0 : shape->len);
}

// (out, mean, rstd)
void LayerNorm(Plan& p) {
  const Placement from = p.from(At(p, "input"));
  if (!from.sharded() || from.dim >= Batch(p, At(p, "input"))) return;
  Set(p, "input", from);
  std::fill(p.out.begin(), p.out.end(), from);
  p.Offer();
}
// (of input, of weight, of bias): the last two are sums over what is parted.
void LayerNormBackward(Plan& p) {
  const int64_t batch = Batch(p, At(p, "input"));
  uint64_t tried = 0;
  for (const char* name : {"grad_out", "input", "mean", "rstd"}) {
    const Placement from = p.from(At(p, name));
    if (!from.sharded() || from.dim >= batch || (tried >> from.dim & 1) != 0) continue;
    tried |= uint64_t{1} << from.dim;
    for (const char* all : {"grad_out", "input", "mean", "rstd"}) Set(p, all, from);
    p.out = {from, Partial(), Partial()};
    p.Offer();
  }
}

// Queries, keys and values of one example, or head, meet one another alone.
void Attention(Plan& p) {
  uint64_t tried = 0;
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (!from.sharded() || from.dim > 1 || (tried >> from.dim & 1) != 0) continue;
    tried |= uint64_t{1} << from.dim;
    bool fits = true;
    const int mask = p.Find("attn_mask");
    for (size_t j = 0; j < p.operands.size(); ++j) {
      if (static_cast<int>(j) == mask) {
        // It broadcasts.
        const int64_t d = p.dim(j) - 4 + from.dim;
        if (d >= 0 && p.sizes(j)[static_cast<size_t>(d)] == p.sizes(0)[from.dim])
          p.in[j] = Shard(d);
        continue;
      }
      fits = fits && p.dim(j) > from.dim && p.sizes(j)[from.dim] == p.sizes(0)[from.dim];
      p.in[j] = from;
    }
    for (size_t r = 0; r < p.metas.size(); ++r) {
      const Tensor& m = p.metas[r];
      fits = fits && m.defined() && m.dim() > from.dim && m.size(from.dim) == p.sizes(0)[from.dim];
      p.out[r] = from;
    }
    if (fits) {
      p.Offer();
    } else {
      std::fill(p.in.begin(), p.in.end(), Placement{});
      std::fill(p.out.begin(), p.out.end(), Placement{});
    }
  }
}

// A table: by its columns, or by positions that are looked up.
void Embedding(Plan& p) {
  const size_t weight = At(p, "weight"), indices = At(p, "indices");
  if (p.from(weight).shards(1)) {
    p.in[weight] = Shard(1);
    p.out[0] = Shard(p.dim(indices));
    p.Offer();
  }
  if (const Placement from = p.from(indices); from.sharded()) {
    p.in[indices] = from;
    p.out[0] = from;
    p.Offer();
  }
  if (const Placement from = p.from(weight); from.partial() && from.op == PartialOp::kSum) {
    p.in[weight] = from;
    p.out[0] = from;
    p.Offer();
  }
}
void EmbeddingBackward(Plan& p) {
  const size_t grad = At(p, "grad_output"), indices = At(p, "indices");
  const int64_t last = p.dim(grad) - 1;
  if (p.from(grad).shards(last)) {
    p.in[grad] = Shard(last);
    p.out[0] = Shard(1);
    p.Offer();
  }
  if (p.Flag("scale_grad_by_freq")) return;  // it counts positions
  for (const size_t k : {grad, indices}) {
    const Placement from = p.from(k);
    if (!from.sharded() || from.dim >= last) continue;
    p.in[grad] = p.in[indices] = from;
    p.out[0] = Partial();
    p.Offer();
  }
  if (const Placement from = p.from(grad); from.partial() && from.op == PartialOp::kSum) {
    p.in[grad] = from;
    p.out[0] = from;
    p.Offer();
  }
}

bool IsPlainConvolution(const Plan& p) {
  return p.Int("groups", 1) == 1 && p.dim(At(p, "input")) == p.dim(At(p, "weight"));
}
void Convolution(Plan& p) {
  if (!IsPlainConvolution(p)) return;
  if (p.from(At(p, "input")).shards(0)) {
    Set(p, "input", Shard(0));
    p.out[0] = Shard(0);
    p.Offer();
  }
  if (p.from(At(p, "weight")).shards(0) && !p.Flag("transposed") &&
      p.AllHaveSome(At(p, "weight"), 0)) {
    Set(p, "weight", Shard(0));
    Set(p, "bias", Shard(0));
    p.out[0] = Shard(1);
    p.Offer();
  }
}
// (of input, of weight, of bias)
void ConvolutionBackward(Plan& p) {
  if (!IsPlainConvolution(p)) return;
  if (!p.from(At(p, "input")).shards(0) && !p.from(At(p, "grad_output")).shards(0)) return;
  Set(p, "input", Shard(0));
  Set(p, "grad_output", Shard(0));
  p.out = {Shard(0), Partial(), Partial()};
  p.Offer();
}

// Pooling and the like: examples and channels by themselves.
void ByExamples(Plan& p) {
  uint64_t tried = 0;
  const int64_t rank = p.dim(0);
  for (size_t k = 0; k < p.operands.size(); ++k) {
    const Placement from = p.from(k);
    if (!from.sharded() || from.dim > 0 || rank < 4 || (tried & 1) != 0) continue;
    tried = 1;
    bool fits = true;
    for (size_t j = 0; j < p.operands.size(); ++j)
      fits = fits && p.dim(j) == rank && p.sizes(j)[0] == p.sizes(0)[0];
    if (!fits) return;
    std::fill(p.in.begin(), p.in.end(), from);
    std::fill(p.out.begin(), p.out.end(), from);
    p.Offer();
  }
}

const RuleFor layer_norm(LayerNorm, {"native_layer_norm"});
const RuleFor layer_norm_backward(LayerNormBackward, {"native_layer_norm_backward"});
const RuleFor attention(Attention, {"_scaled_dot_product_flash_attention_for_cpu",
                                    "_scaled_dot_product_flash_attention_for_cpu_backward"});
const RuleFor embedding(Embedding, {"embedding"});
const RuleFor embedding_backward(EmbeddingBackward, {"embedding_dense_backward"});
const RuleFor convolution(Convolution, {"convolution"});
const RuleFor convolution_backward(ConvolutionBackward, {"convolution_backward"});
const RuleFor by_examples(ByExamples,
                          {"max_pool2d_with_indices", "max_pool2d_with_indices_backward",
                           "avg_pool2d", "avg_pool2d_backward"});

}  // namespace
}  // namespace sy::sharded
