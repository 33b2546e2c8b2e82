// Recurrent networks over whole sequences, of num_layers layers, in both directions of time with
// `bidirectional`: rnn_tanh, rnn_relu, gru and lstm are their cells, step by step (lstm_cell).
//   input: [t, b, i], or [b, t, i] with batch_first; data and batch_sizes: a packed sequence,
//   [rows, i] and int64 numbers of the sequences that are as long as each step, none larger than
//   the one before hx: [num_layers directions, b, h]; lstm: two, of hidden states, of their
//   projection's width, and of cells
//   params: for each layer and direction w_ih [g h, i], w_hh [g h, h], with has_biases b_ih and
//   b_hh [g h], with projections w_hr [p, h]; g: 4 for lstm, 3 for gru, else 1
//   →   hidden states of the last layer at every step, [t, b, directions h] as input lies, and
//   those of every layer and direction behind the last one, like hx; lstm: the cells too
//   dropout: between layers, in training (`train`) alone
// Errors: kInvalidArgument for ranks, numbers of parameters and states, sizes and dtypes that do
// not fit, and for no steps.
// Example: sy::rnn_relu(x, y, {a, b}, false, 1, 0, true, false, false)
// Source: ATen lstm, gru, rnn_tanh, rnn_relu.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator lstm_op{
    "lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float "
    "dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator lstm_data_op{
    "lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int "
    "num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator gru_op{
    "gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float "
    "dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator gru_data_op{
    "gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int "
    "num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rnn_tanh_op{
    "rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
    "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rnn_tanh_data_op{
    "rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
    "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rnn_relu_op{
    "rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
    "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};
const Operator rnn_relu_data_op{
    "rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
    "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};

}  // namespace sy
