// Tangents of losses, bags and segments whose backward operators have no gradient. These are linear
// in what arrives, and each element of theirs is of one element of the result: what they make of
// ones are the weights by which tangents are summed.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/forward.h"

namespace sy {
namespace {

constexpr int64_t kNone = 0;

// Of a loss of rows, or of one row: a number for each, or one for all.
Tensor OfRows(const Tensor& weights, const Tensor& t, int64_t reduction) {
  const Tensor products = mul(weights, t);
  return reduction == kNone && t.dim() > 1 ? sum(products, {-1}) : sum(products);
}

void MultiMargin(TangentCall& c) {
  const int64_t reduction = c.args[5].i;
  const Tensor weights = multi_margin_loss_backward(
      ones_like(c.result()), c.primal(0), c.primal(1), c.args[2].scalar(), c.args[3].scalar(),
      c.args[4].is_none() ? Tensor() : c.primal(4), reduction);
  c.Set(0, OfRows(weights, c.tangent(0), reduction));
}
const Tangent multi_margin_rule{{"multi_margin_loss"}, MultiMargin};

void Multilabel(TangentCall& c) {
  const Tensor &x = c.primal(0), &target = c.primal(1);
  const int64_t reduction = c.args[2].i;
  const Tensor is_target = c.results().size() > 1
                               ? c.result(1)
                               : std::get<1>(multilabel_margin_loss_forward(x, target, reduction));
  const Tensor weights =
      multilabel_margin_loss_backward(ones_like(c.result()), x, target, reduction, is_target);
  c.Set(0, OfRows(weights, c.tangent(0), reduction));
}
const Tangent multilabel_rule{{"multilabel_margin_loss", "multilabel_margin_loss_forward"},
                              Multilabel};

void SegmentReduce(TangentCall& c) {
  const auto tensor = [&](size_t i) { return c.args[i].is_none() ? Tensor() : c.primal(i); };
  const std::optional<Scalar> initial =
      c.args[7].is_none() ? std::nullopt : std::optional<Scalar>(c.args[7].scalar());
  const Tensor weights =
      _segment_reduce_backward(ones_like(c.result()), c.result(), c.primal(0), c.args[1].text(),
                               tensor(2), tensor(4), c.args[5].i, initial);
  c.Set(0, segment_reduce(mul(weights, c.tangent(0)), "sum", tensor(2), Tensor(), tensor(4),
                          c.args[5].i, c.args[6].i != 0));
}
const Tangent segment_rule{{"segment_reduce"}, SegmentReduce};

// Sums and means are linear in the weight and in the factors of rows; a maximum is of one row.
void Bag(TangentCall& c) {
  const int64_t mode = c.args[4].i;
  const Tensor factors = c.args[6].is_none() ? Tensor() : c.primal(6);
  constexpr int64_t kMaximum = 2;
  if (mode == kMaximum) {
    const Tensor& rows = c.result(3);  // [bags, width]
    const Tensor none = logical_or(unsqueeze(eq(c.result(2), 0), 1), lt(rows, 0));
    const Tensor at = to(masked_fill(rows, none, 0), DType::kInt64);
    return c.Set(0, masked_fill(gather(c.tangent(0), 0, at), none, 0));
  }
  const auto bags = [&](const Tensor& weight, const Tensor& by) {
    return std::get<0>(_embedding_bag_forward_only(weight, c.primal(1), c.primal(2), false, mode,
                                                   false, by, c.args[7].i != 0, c.args[8].i));
  };
  Tensor t;
  if (c.has(0)) t = bags(c.tangent(0), factors);
  if (c.has(6)) {
    const Tensor of_factors = bags(c.primal(0), c.tangent(6));
    t = t.defined() ? add(t, of_factors) : of_factors;
  }
  c.Set(0, t);
}
const Tangent bag_rule{{"_embedding_bag", "_embedding_bag_forward_only"}, Bag};

// Linear in the input. What a channel is by its place in the grid is what the backward of that
// channel alone passes to the grid.
template <auto kBackward>
void GridSampler(TangentCall& c) {
  const Tensor &x = c.primal(0), &grid = c.primal(1);
  Tensor t;
  if (c.has(0)) {
    std::vector<Value> args(c.args.begin(), c.args.end());
    args[0] = Value(c.tangent(0));
    Result made[1];
    CallBoxed(c.op, args, made);
    t = made[0].TakeTensor();
  }
  if (c.has(1) && x.numel() != 0) {
    const std::vector<int64_t> channels = {x.size(0), x.size(1)};
    const auto joined = [](std::vector<int64_t> first, IntSpan rest) {
      first.insert(first.end(), rest.begin(), rest.end());
      return first;
    };
    const std::vector<int64_t> places = joined(channels, grid.sizes().subspan(1));
    const Tensor images = unsqueeze(flatten(x, 0, 1), 1);
    const Tensor grids = flatten(expand(unsqueeze(grid, 1), places), 0, 1);
    const Tensor ones =
        new_ones(x, joined({x.size(0) * x.size(1), 1}, c.result().sizes().subspan(2)));
    constexpr bool kGridAlone[] = {false, true};
    const Tensor slopes =
        std::get<1>(kBackward(ones, images, grids, c.args[2].i, c.args[3].i, c.args[4].i != 0,
                              std::span<const bool>(kGridAlone)));
    const Tensor moved = sum(mul(view(slopes, places), unsqueeze(c.tangent(1), 1)), {-1});
    t = t.defined() ? add(t, moved) : moved;
  }
  c.Set(0, t.defined() ? t : zeros_like(c.result()));
}
const Tangent planes_rule{{"grid_sampler_2d"}, GridSampler<grid_sampler_2d_backward>};
const Tangent volumes_rule{{"grid_sampler_3d"}, GridSampler<grid_sampler_3d_backward>};

}  // namespace
}  // namespace sy
