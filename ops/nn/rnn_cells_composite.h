// The cells of recurrent networks: from a state and the input's products to the next state.
//
//   state = GruCell(linear(input, weights.w_ih, weights.b_ih), state, weights);
//
// Owns: nothing. Threads: any. Errors: those of the products.
#ifndef SWITCHYARD_OPS_NN_RNN_CELLS_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_RNN_CELLS_COMPOSITE_H_

#include <vector>

#include "switchyard/ops.h"

namespace sy {

// Of one layer and direction; undefined: not there.
struct CellWeights {
  Tensor w_ih, w_hh, b_ih, b_hh, w_hr;
};
// The hidden state, [b, h], and of lstm the cell.
using CellState = std::vector<Tensor>;
// products: the input's with w_ih, b_ih added, [b, g h].
using Cell = CellState (*)(const Tensor& products, const CellState& state, const CellWeights& w);

inline Tensor HiddenProducts(const CellState& state, const CellWeights& w) {
  return linear(state[0], w.w_hh, w.b_hh);
}
inline CellState TanhCell(const Tensor& products, const CellState& state, const CellWeights& w) {
  return {tanh(add(HiddenProducts(state, w), products))};
}
inline CellState ReluCell(const Tensor& products, const CellState& state, const CellWeights& w) {
  return {relu(add(HiddenProducts(state, w), products))};
}
inline CellState GruCell(const Tensor& products, const CellState& state, const CellWeights& w) {
  const Tensor hidden = HiddenProducts(state, w);
  const int64_t h = state[0].size(1);
  // Both gates at once.
  const Tensor gates = sigmoid(add(narrow(hidden, 1, 0, 2 * h), narrow(products, 1, 0, 2 * h)));
  const Tensor by_r = mul(narrow(gates, 1, 0, h), narrow(hidden, 1, 2 * h, h));
  const Tensor made = tanh(add(narrow(products, 1, 2 * h, h), by_r));
  return {add(mul(sub(state[0], made), narrow(gates, 1, h, h)), made)};
}
inline CellState LstmCell(const Tensor& products, const CellState& state, const CellWeights& w) {
  const Tensor sums = add(HiddenProducts(state, w), products);
  const int64_t h = state[1].size(1);
  const Tensor gates = sigmoid(narrow(sums, 1, 0, 2 * h));  // i and f at once
  const Tensor taken = mul(narrow(gates, 1, 0, h), tanh(narrow(sums, 1, 2 * h, h)));
  const Tensor cell = add(mul(narrow(gates, 1, h, h), state[1]), taken);
  const Tensor shown = mul(sigmoid(narrow(sums, 1, 3 * h, h)), tanh(cell));
  return {w.w_hr.defined() ? linear(shown, w.w_hr) : shown, cell};
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_RNN_CELLS_COMPOSITE_H_
