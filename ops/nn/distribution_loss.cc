// Losses of distributions: kl_div, how far self, logarithms of probabilities, is from target:
// target (log target - self), where log_target says that target has logarithms too;
// poisson_nll_loss, what counts cost by their rate: rate - target log rate, of which log_input
// says that input is the logarithm, else log(input + eps) is taken; full adds Stirling's
// approximation of log target!, target log target - target + log(2 pi target) / 2, where target >
// 1.
//   two tensors: sizes that broadcast, floating; reduction: 0 none, 1 mean (kl_div: of elements),
//   2 sum   →   the common sizes without reduction, else 0-d
// Errors: kInvalidArgument for sizes that do not broadcast, another reduction and complex numbers.
// Example: sy::kl_div(x, y)
// Source: ATen kl_div, poisson_nll_loss.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator kl_div_op{
    "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor"};
const Operator poisson_nll_loss_op{
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int "
    "reduction) -> Tensor"};

}  // namespace sy
