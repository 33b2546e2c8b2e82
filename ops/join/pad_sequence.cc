// Tensors of different lengths side by side, each made as long as the longest with padding_value.
//   sequences: one or more, [length, ...] with the same sizes after the first   →   [longest,
//   number of them, ...], or [number of them, longest, ...] with batch_first; the dtype of the
//   first padding_side: "right" or "left", where the padding goes
// Errors: kInvalidArgument for no sequences, 0-d ones, sizes that do not fit, or another side.
// Example: sy::pad_sequence({a, b}, true)
// Source: ATen pad_sequence.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator pad_sequence_op{
    "pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str "
    "padding_side=\"right\") -> Tensor"};

}  // namespace sy
