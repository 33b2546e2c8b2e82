// Layers of recurrent networks over packed sequences; sequences of one length are such, too.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for numbers and sizes that do not fit.
#ifndef SWITCHYARD_OPS_NN_RNN_LAYERS_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_RNN_LAYERS_COMPOSITE_H_

#include <vector>

#include "ops/nn/rnn_cells_composite.h"
#include "switchyard/op/kernel.h"

namespace sy {

struct RnnOptions {
  Cell cell;
  int64_t gates;  // products of a hidden state's element
  bool has_biases;
  int64_t num_layers;
  double dropout;
  bool train, bidirectional;
};
struct RnnResult {
  Tensor output;     // [rows, directions h]
  CellState states;  // each [layers directions, b, ..]
};

// data: [rows, i]; batch_sizes: rows of each step. hx: each [layers directions, b, ..]; the second,
// where there is one, tells whether the first is projected.
RnnResult RunLayers(Call call, const Tensor& data, const std::vector<int64_t>& batch_sizes,
                    const CellState& hx, TensorList params, const RnnOptions& options);

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_RNN_LAYERS_COMPOSITE_H_
