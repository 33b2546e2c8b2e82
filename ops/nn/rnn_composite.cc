// Recurrent networks: sequences of one length and packed ones, as layers take them.

#include <tuple>
#include <vector>

#include "ops/nn/rnn_layers_composite.h"

namespace sy {
namespace {

using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;

RnnResult OfInput(Call call, const Tensor& input, const CellState& hx, TensorList params,
                  const RnnOptions& options, bool batch_first) {
  const int64_t time = batch_first ? 1 : 0;
  if (input.dim() != 3 || input.size(time) == 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"input must be ", batch_first ? "[batch, steps, width]" : "[steps, batch, width]",
          " of at least one step, got sizes ", input.sizes()});
  }
  const int64_t steps = input.size(time), batch = input.size(1 - time);
  const Tensor rows =
      reshape(batch_first ? transpose(input, 0, 1) : input, {steps * batch, input.size(2)});
  const std::vector<int64_t> batch_sizes(static_cast<size_t>(steps), batch);
  RnnResult r = RunLayers(call, rows, batch_sizes, hx, params, options);
  r.output = view(r.output, {steps, batch, r.output.size(1)});
  if (batch_first) r.output = transpose(r.output, 0, 1);
  return r;
}

RnnResult OfData(Call call, const Tensor& data, const Tensor& batch_sizes, const CellState& hx,
                 TensorList params, const RnnOptions& options) {
  if (batch_sizes.dim() != 1 || batch_sizes.numel() == 0 || batch_sizes.dtype() != DType::kInt64 ||
      data.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"data must be a matrix and batch_sizes 1-d, int64 and not empty, got sizes ",
          data.sizes(), " and ", Describe(batch_sizes)});
  }
  std::vector<int64_t> sizes;
  int64_t rows = 0;
  for (int64_t i = 0; i < batch_sizes.numel(); ++i) {
    const int64_t n = item(select(batch_sizes, 0, i)).To<int64_t>();
    if (n < 0 || (i != 0 && n > sizes.back()) || n > data.size(0) - rows) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"batch_sizes must not grow, and add up to at most ", data.size(0),
            ", data's rows, got ", n, " at ", i});
    }
    sizes.push_back(n);
    rows += n;
  }
  return RunLayers(call, narrow(data, 0, 0, rows), sizes, hx, params, options);
}

template <Cell kCell, int64_t kGates>
Two Input(Call call, const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
          int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
  const RnnResult r =
      OfInput(call, input, {hx}, params,
              {kCell, kGates, has_biases, num_layers, dropout, train, bidirectional}, batch_first);
  return {r.output, r.states[0]};
}
template <Cell kCell, int64_t kGates>
Two Data(Call call, const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
         TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train,
         bool bidirectional) {
  const RnnResult r =
      OfData(call, data, batch_sizes, {hx}, params,
             {kCell, kGates, has_biases, num_layers, dropout, train, bidirectional});
  return {r.output, r.states[0]};
}

CellState Both(Call call, TensorList hx) {
  if (hx.size() == 2) return {hx[0], hx[1]};
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"hx must be two tensors, of hidden states and of cells, got ",
        static_cast<int64_t>(hx.size())});
}
Three LstmInput(Call call, const Tensor& input, TensorList hx, TensorList params, bool has_biases,
                int64_t num_layers, double dropout, bool train, bool bidirectional,
                bool batch_first) {
  const RnnResult r =
      OfInput(call, input, Both(call, hx), params,
              {LstmCell, 4, has_biases, num_layers, dropout, train, bidirectional}, batch_first);
  return {r.output, r.states[0], r.states[1]};
}
Three LstmData(Call call, const Tensor& data, const Tensor& batch_sizes, TensorList hx,
               TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train,
               bool bidirectional) {
  const RnnResult r = OfData(call, data, batch_sizes, Both(call, hx), params,
                             {LstmCell, 4, has_biases, num_layers, dropout, train, bidirectional});
  return {r.output, r.states[0], r.states[1]};
}

const Composite lstm_body{"lstm.input", LstmInput};
const Composite lstm_data_body{"lstm.data", LstmData};
const Composite gru_body{"gru.input", Input<GruCell, 3>};
const Composite gru_data_body{"gru.data", Data<GruCell, 3>};
const Composite rnn_tanh_body{"rnn_tanh.input", Input<TanhCell, 1>};
const Composite rnn_tanh_data_body{"rnn_tanh.data", Data<TanhCell, 1>};
const Composite rnn_relu_body{"rnn_relu.input", Input<ReluCell, 1>};
const Composite rnn_relu_data_body{"rnn_relu.data", Data<ReluCell, 1>};

}  // namespace
}  // namespace sy
