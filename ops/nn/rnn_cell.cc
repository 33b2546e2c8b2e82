// One step of a recurrent network: products of input and hidden state with weights, and what they
// make of the state. rnn_tanh_cell and rnn_relu_cell: a function of their sum. gru_cell: the new
// state n and the old one, weighted by z, n from the old one's product times r. lstm_cell: a cell
// that forgets by f and takes up g by i, and shows its tanh by o.
//   input: [b, i]; hx: [b, h], lstm_cell: two, hidden state and cell; w_ih: [g h, i], w_hh: [g h,
//   h], b_ih, b_hh: [g h], g: 4 (i, f, g, o) for lstm_cell, 3 (r, z, n) for gru_cell, else 1
//   →   [b, h], lstm_cell: both
// Errors: kInvalidArgument for ranks, sizes and dtypes that do not fit.
// Example: sy::rnn_tanh_cell(x, sy::zeros({2, 2}), a, a)
// Source: ATen rnn_tanh_cell, rnn_relu_cell, gru_cell, lstm_cell.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator rnn_tanh_cell_op{
    "rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
    "b_hh=None) -> Tensor",
    KeyRule::kFirst};
const Operator rnn_relu_cell_op{
    "rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
    "b_hh=None) -> Tensor",
    KeyRule::kFirst};
const Operator gru_cell_op{
    "gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
    "b_hh=None) -> Tensor",
    KeyRule::kFirst};
const Operator lstm_cell_op{
    "lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? "
    "b_hh=None) -> (Tensor, Tensor)",
    KeyRule::kFirst};

}  // namespace sy
