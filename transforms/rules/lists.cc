// Rules of operators that put lists together, and that go along lists.
#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// Dimensions in front of the pieces are those of all tensors; the batch is one of them.
void ChunkCat(BatchCall& c) {
  std::vector<Tensor> values;
  for (const Tensor& t : c.args[0].list<Tensor>()) values.push_back(c.expanded(t));
  NewArgs args(c);
  args.Set(0, std::move(values));
  if (c.args[1].i >= 0) args.Set(1, c.args[1].i + 1);
  c.Call(args);
}
const Batching chunk_cat_rule{"_chunk_cat", ChunkCat};

Tensor PadSequence(TensorList sequences, bool batch_first, double value, std::string_view side) {
  if (side != "left" && side != "right") {
    Fail(ErrorCode::kInvalidArgument, "pad_sequence",
         {"padding_side must be 'left' or 'right', got '", side, "'"});
  }
  int64_t longest = 0;
  for (const Tensor& t : sequences) {
    if (t.dim() == 0)
      Fail(ErrorCode::kInvalidArgument, "pad_sequence", {"a sequence must not be 0-d"});
    longest = std::max(longest, t.size(0));
  }
  std::vector<Tensor> padded;
  for (const Tensor& t : sequences) {
    std::vector<int64_t> pad(static_cast<size_t>(2 * t.dim()), 0);
    pad[pad.size() - (side == "left" ? 2 : 1)] = longest - t.size(0);
    padded.push_back(constant_pad_nd(t, pad, value));
  }
  return stack(padded, batch_first ? 0 : 1);
}
const Batching pad_sequence_rule{"pad_sequence", Decomposed(PadSequence)};

// Factors are the elements of a tensor.
template <Tensor (*kJoin)(const Tensor&, const Tensor&)>
std::vector<Tensor> AddScaled(TensorList self, TensorList a, TensorList b, const Tensor& factors) {
  if (a.size() != self.size() || b.size() != self.size() || factors.dim() != 1 ||
      factors.numel() != static_cast<int64_t>(self.size())) {
    Fail(ErrorCode::kInvalidArgument,
         {"vmap: expected lists and factors as long as self, ", int64_t(self.size()), ", got ",
          int64_t(a.size()), ", ", int64_t(b.size()), " and ", Describe(factors)});
  }
  std::vector<Tensor> all;
  for (size_t i = 0; i < self.size(); ++i) {
    const Tensor factor = to(select(factors, 0, static_cast<int64_t>(i)), self[i].dtype());
    all.push_back(add(self[i], mul(kJoin(a[i], b[i]), factor)));
  }
  return all;
}
Tensor Quotient(const Tensor& a, const Tensor& b) { return div(a, b); }
Tensor Product(const Tensor& a, const Tensor& b) { return mul(a, b); }
const Batching addcdiv_rule{"_foreach_addcdiv.Tensor", Decomposed(AddScaled<Quotient>)};
const Batching addcmul_rule{"_foreach_addcmul.Tensor", Decomposed(AddScaled<Product>)};

// Gradients that were scaled: as the operator writes them, without writing.
std::tuple<std::vector<Tensor>, Tensor> Unscaled(TensorList self, const Tensor& found_inf,
                                                 const Tensor& inv_scale) {
  const Tensor scale = reshape(inv_scale, IntSpan());
  Tensor found = found_inf;
  std::vector<Tensor> scaled;
  for (const Tensor& t : self) {
    found = where(all(isfinite(t)), found, 1);
    scaled.push_back(mul(t, scale));
  }
  return {std::move(scaled), self.empty() ? clone(found) : found};
}
const Batching unscale_rule{"_amp_foreach_non_finite_check_and_unscale", Decomposed(Unscaled)};

}  // namespace
}  // namespace sy::transforms
