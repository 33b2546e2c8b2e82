// Each channel of each sample, brought to mean 0 and variance 1 by its own statistics
// (use_input_stats) or by running ones, then scaled and shifted: batch_norm of one sample of n c
// channels. Running statistics, where they are given, move towards the samples' mean ones.
//   input: [n, c, ..], floating; the others: [c] or absent, as batch_norm's   →   input's sizes
// Errors: kInvalidArgument for fewer than 2 dimensions, no running statistics unless
// use_input_stats, and what batch_norm refuses.
// Example: sy::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false)
// Source: ATen instance_norm.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator instance_norm_op{
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
    "running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
