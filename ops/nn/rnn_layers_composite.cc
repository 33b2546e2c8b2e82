// Each direction of a layer: the input's products with the weights at once for all steps, then step
// by step those of the state.

#include "ops/nn/rnn_layers_composite.h"

#include <algorithm>
#include <string_view>

namespace sy {
namespace {

// Rows first … end - 1 of each.
CellState Rows(const CellState& state, int64_t first, int64_t end) {
  CellState rows;
  for (const Tensor& t : state) rows.push_back(narrow(t, 0, first, end - first));
  return rows;
}
// Those of several states, one below the other.
CellState Below(const std::vector<CellState>& states) {
  CellState all;
  for (size_t i = 0; i < states[0].size(); ++i) {
    std::vector<Tensor> parts;
    for (const CellState& s : states) parts.push_back(s[i]);
    all.push_back(cat(parts, 0));
  }
  return all;
}

// Sequences lie from the longest to the shortest, so that those that go on are the first rows. From
// behind, more come in as time goes back.
RnnResult RunDirection(const Tensor& data, const std::vector<int64_t>& batch_sizes,
                       const CellState& hx, const CellWeights& w, Cell cell, bool backward) {
  const Tensor products = linear(data, w.w_ih, w.b_ih);
  const size_t steps = batch_sizes.size();
  int64_t live = backward ? batch_sizes.back() : batch_sizes.front();
  int64_t row = backward ? data.size(0) : 0;
  CellState state = Rows(hx, 0, live);
  std::vector<CellState> ended;
  std::vector<Tensor> outputs(steps);
  for (size_t i = 0; i < steps; ++i) {
    const size_t step = backward ? steps - 1 - i : i;
    const int64_t n = batch_sizes[step];
    if (n > live) state = Below({state, Rows(hx, live, n)});
    if (n < live) {
      ended.push_back(Rows(state, n, live));
      state = Rows(state, 0, n);
    }
    live = n;
    if (backward) row -= n;
    state = cell(narrow(products, 0, row, n), state, w);
    if (!backward) row += n;
    outputs[step] = state[0];
  }
  if (!ended.empty()) {
    ended.push_back(state);
    std::reverse(ended.begin(), ended.end());
    state = Below(ended);
  }
  return {cat(outputs, 0), state};
}

void RequireWeight(Call call, const Tensor& t, std::string_view name, IntSpan sizes) {
  if (t.dim() == static_cast<int64_t>(sizes.size()) && SameSizes(t.sizes(), sizes)) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " of params must have sizes ", sizes, ", got ", t.sizes()});
}
// width: of the input. state: the width of the hidden state; h: of what the cell makes.
CellWeights WeightsAt(Call call, TensorList params, size_t at, const RnnOptions& o, int64_t width,
                      int64_t state, int64_t h) {
  CellWeights w{params[at], params[at + 1], {}, {}, {}};
  at += 2;
  const int64_t rows = o.gates * h, input[] = {rows, width}, hidden[] = {rows, state},
                bias[] = {rows}, projection[] = {state, h};
  RequireWeight(call, w.w_ih, "w_ih", input);
  RequireWeight(call, w.w_hh, "w_hh", hidden);
  if (o.has_biases) {
    w.b_ih = params[at++];
    w.b_hh = params[at++];
    RequireWeight(call, w.b_ih, "b_ih", bias);
    RequireWeight(call, w.b_hh, "b_hh", bias);
  }
  if (state != h) {
    w.w_hr = params[at];
    RequireWeight(call, w.w_hr, "w_hr", projection);
  }
  return w;
}

void RequireStates(Call call, const CellState& hx, int64_t count, int64_t batch) {
  for (const Tensor& t : hx) {
    if (t.dim() == 3 && t.size(0) == count && t.size(1) == batch) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"hx must be [", count, ", ", batch,
          ", ..], a state of every layer and direction, got sizes ", t.sizes()});
  }
}

}  // namespace

RnnResult RunLayers(Call call, const Tensor& data, const std::vector<int64_t>& batch_sizes,
                    const CellState& hx, TensorList params, const RnnOptions& o) {
  const auto given = static_cast<int64_t>(params.size());
  if (o.num_layers < 1 || o.num_layers > given) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"num_layers must be positive and have params of their own, got ", o.num_layers, " and ",
          given, " params"});
  }
  const int64_t directions = o.bidirectional ? 2 : 1, all = o.num_layers * directions;
  RequireStates(call, hx, all, batch_sizes.front());
  const int64_t state = hx[0].size(2), h = hx.back().size(2);
  const int64_t each = (o.has_biases ? 4 : 2) + (state != h ? 1 : 0);
  if (given != all * each) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"params must be ", all * each, " tensors, ", each, " for every layer and direction, got ",
          given});
  }
  Tensor input = data;
  std::vector<CellState> last(hx.size());
  for (int64_t layer = 0; layer < o.num_layers; ++layer) {
    std::vector<Tensor> outputs;
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t i = layer * directions + d;
      const CellWeights w =
          WeightsAt(call, params, static_cast<size_t>(i * each), o, input.size(1), state, h);
      CellState first;
      for (const Tensor& t : hx) first.push_back(select(t, 0, i));
      const RnnResult r = RunDirection(input, batch_sizes, first, w, o.cell, d == 1);
      outputs.push_back(r.output);
      for (size_t k = 0; k < hx.size(); ++k) last[k].push_back(r.states[k]);
    }
    input = directions == 1 ? outputs[0] : cat(outputs, 1);
    if (o.dropout != 0 && o.train && layer + 1 < o.num_layers)
      input = dropout(input, o.dropout, true);
  }
  RnnResult result{input, {}};
  for (const CellState& states : last) result.states.push_back(stack(states, 0));
  return result;
}

}  // namespace sy
