// One step of a cell, its arguments checked.

#include <string_view>
#include <tuple>

#include "ops/nn/rnn_cells_composite.h"
#include "switchyard/op/kernel.h"

namespace sy {
namespace {

void RequireRows(Call call, const Tensor& t, std::string_view name, int64_t rows, int64_t columns) {
  if (t.dim() == 2 && t.size(0) == rows && t.size(1) == columns) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must be [", rows, ", ", columns, "], got sizes ", t.sizes()});
}

CellState Step(Call call, Cell cell, int64_t gates, const Tensor& input, const CellState& state,
               const CellWeights& w) {
  if (input.dim() != 2 || w.w_ih.dim() != 2 || w.w_hh.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"input, w_ih and w_hh must be matrices, got sizes ", input.sizes(), ", ", w.w_ih.sizes(),
          " and ", w.w_hh.sizes()});
  }
  const int64_t h = w.w_hh.size(1);
  RequireRows(call, input, "input", input.size(0), w.w_ih.size(1));
  RequireRows(call, w.w_ih, "w_ih", gates * h, w.w_ih.size(1));
  RequireRows(call, w.w_hh, "w_hh", gates * h, h);
  for (const Tensor& t : state) RequireRows(call, t, "hx", input.size(0), h);
  return cell(linear(input, w.w_ih, w.b_ih), state, w);
}

template <Cell kCell, int64_t kGates>
Tensor OneState(Call call, const Tensor& input, const Tensor& hx, const Tensor& w_ih,
                const Tensor& w_hh, const Tensor& b_ih, const Tensor& b_hh) {
  return Step(call, kCell, kGates, input, {hx}, {w_ih, w_hh, b_ih, b_hh, {}})[0];
}
std::tuple<Tensor, Tensor> Lstm(Call call, const Tensor& input, TensorList hx, const Tensor& w_ih,
                                const Tensor& w_hh, const Tensor& b_ih, const Tensor& b_hh) {
  if (hx.size() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"hx must be two tensors, the hidden state and the cell, got ",
          static_cast<int64_t>(hx.size())});
  }
  const CellState next =
      Step(call, LstmCell, 4, input, {hx[0], hx[1]}, {w_ih, w_hh, b_ih, b_hh, {}});
  return {next[0], next[1]};
}

const Composite tanh_body{"rnn_tanh_cell", OneState<TanhCell, 1>};
const Composite relu_body{"rnn_relu_cell", OneState<ReluCell, 1>};
const Composite gru_body{"gru_cell", OneState<GruCell, 3>};
const Composite lstm_body{"lstm_cell", Lstm};

}  // namespace
}  // namespace sy
