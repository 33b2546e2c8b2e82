// What log_softmax of scores costs against a class, or probabilities of classes, for each sample:
// nll_loss of classes; of probabilities -sum(target log_softmax(self) weight) over classes, whose
// mean is by samples. label_smoothing mixes in the same probability for all classes.
//   self: [n, c, ..] or [c], floating; target: int64, [n, ..] or 0-d, or floating of self's sizes;
//   weight: [c] or absent; reduction: 0 none, 1 mean, 2 sum   →   self's sizes without classes, if
//   not reduced, else 0-d
// Classes that equal ignore_index cost nothing.
// Errors: kInvalidArgument for a label_smoothing outside 0 … 1, an ignore_index that is not
// negative or classes where probabilities are expected, another reduction; what nll_loss refuses.
// Example: sy::cross_entropy_loss(x, index)
// Source: ATen cross_entropy_loss.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator cross_entropy_loss_op{
    "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
    "ignore_index=-100, float label_smoothing=0.) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
