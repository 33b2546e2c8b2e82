// Convolution along the first dimension, of sequences that lie time first.
//   self: [t, n, c], weight: [k, c, o], bias: [o], one dtype, not bool; pad: zeros before and
//   behind   →   [t + 2 pad - k + 1, n, o]
// conv_tbc_backward: what it passes back to input, weight and bias; self is the gradient of its
// result   →   sizes of input, weight and bias.
// Errors: kInvalidArgument for other ranks, sizes or dtypes that do not fit, a negative pad, and
// kernels that are longer by two and more than the padded sequence.
// Example: sy::conv_tbc(x, y, t, 1)
// Source: ATen conv_tbc, conv_tbc_backward.
#include "switchyard/op/operator.h"

namespace sy {

const Operator conv_tbc_op{"conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
                           KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator conv_tbc_backward_op{
    "conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> (Tensor, "
    "Tensor, Tensor)",
    KeyRule::kFirst};

}  // namespace sy
