// Connectionist temporal classification: minus the logarithm of the probability of a sequence of
// classes, over all ways to spread it over the steps of the input with blanks between.
//   log_probs: [t, n, c] (ctc_loss: or [t, c]), float32 or float64; targets: int64 or int32, [n,
//   s], or [all] one after another; input_lengths, target_lengths: n numbers, as a list or a tensor
//   of integers; blank: a class; reduction: 0 none, 1 mean of losses over their lengths, 2 sum
//   →   [n] without reduction, else 0-d; _ctc_loss: [n], and logarithms of the probabilities of all
//   beginnings, [n, t, 2 longest target + 1]; _ctc_loss_backward: like log_probs
// zero_infinity: losses that are infinite, where a target does not fit into its input, count as 0,
// and pass nothing back.
// Errors: kInvalidArgument for sizes, lengths, dtypes or a blank that do not fit; kIndexOutOfRange
// for a target out of range; kNotImplemented for other dtypes of log_probs.
// Example: sy::ctc_loss(sy::zeros({5, 1, 4}), sy::ones({1, 2}, sy::DType::kInt64), {5}, {2})
// Source: ATen ctc_loss, _ctc_loss, _ctc_loss_backward.
#include <algorithm>

#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// Returns the longest target.
int64_t RequireSequences(const ShapeContext& r, const TensorBase& log_probs,
                         const TensorBase& targets, IntSpan input_lengths, IntSpan target_lengths,
                         int64_t blank) {
  if (log_probs.dim() != 3)
    r.Fail({"log_probs must have 3 dimensions, got sizes ", log_probs.sizes()});
  RequireDType(r, log_probs, Mask(DType::kFloat32, DType::kFloat64), "log_probs");
  RequireIndexDType(r, targets);
  const int64_t steps = log_probs.size(0), samples = log_probs.size(1);
  if (samples == 0) r.Fail({"log_probs must have at least one sample, got ", log_probs.sizes()});
  if (blank < 0 || blank >= log_probs.size(2))
    r.Fail({"blank must be a class, 0 to ", log_probs.size(2) - 1, ", got ", blank});
  const auto require = [&](IntSpan lengths, int64_t most, std::string_view name) {
    if (static_cast<int64_t>(lengths.size()) != samples)
      r.Fail({name, " must have ", samples, " elements, got ", lengths});
    for (int64_t n : lengths) {
      if (n < 0 || n > most) r.Fail({name, " must be 0 to ", most, ", got ", lengths});
    }
  };
  require(input_lengths, steps, "input_lengths");
  if (targets.dim() == 2) {
    if (targets.size(0) != samples)
      r.Fail({"targets must have ", samples, " rows, got sizes ", targets.sizes()});
    require(target_lengths, targets.size(1), "target_lengths");
  } else if (targets.dim() == 1) {
    require(target_lengths, targets.numel(), "target_lengths");
    int64_t all = 0;
    for (int64_t n : target_lengths) all += n;
    if (all != targets.numel())
      r.Fail({"targets must have ", all, " elements in all, got sizes ", targets.sizes()});
  } else {
    r.Fail({"targets must have 1 or 2 dimensions, got sizes ", targets.sizes()});
  }
  return *std::max_element(target_lengths.begin(), target_lengths.end());
}

void CtcLossShape(ShapeContext& r, const TensorBase& log_probs, const TensorBase& targets,
                  IntSpan input_lengths, IntSpan target_lengths, int64_t blank,
                  bool /*zero_infinity*/) {
  const int64_t longest =
      RequireSequences(r, log_probs, targets, input_lengths, target_lengths, blank);
  r.Output({log_probs.size(1)}, log_probs.dtype());
  r.Output({log_probs.size(1), log_probs.size(0), 2 * longest + 1}, log_probs.dtype());
}
void CtcBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& log_probs,
                      const TensorBase& targets, IntSpan input_lengths, IntSpan target_lengths,
                      const TensorBase& neg_log_likelihood, const TensorBase& log_alpha,
                      int64_t blank, bool /*zero_infinity*/) {
  const int64_t longest =
      RequireSequences(r, log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t samples = log_probs.size(1);
  const auto require = [&](const TensorBase& t, IntSpan sizes, std::string_view name) {
    if (!SameSizes(t.sizes(), sizes))
      r.Fail({name, " must have sizes ", sizes, ", got ", t.sizes()});
    RequireSameDType(r, log_probs, t, "log_probs", name);
  };
  const int64_t table[] = {samples, log_probs.size(0), 2 * longest + 1};
  require(grad, {&samples, 1}, "grad");
  require(neg_log_likelihood, {&samples, 1}, "neg_log_likelihood");
  require(log_alpha, {table, 3}, "log_alpha");
  r.Output(log_probs.sizes(), log_probs.dtype());
}

}  // namespace

const Operator plain_ctc_loss_op{
    "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int "
    "blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
    Outputs<2>(CtcLossShape),
    Out("_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
        "target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) "
        "out1) -> (Tensor(a!), Tensor(b!))") |
        Tags(OperatorTag::kDynamicOutputShape)};
const Operator plain_ctc_loss_tensor_op{
    "_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
    "target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
    KeyRule::kFirst,
    Out("_ctc_loss.Tensor_out(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
        "target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) "
        "out1) -> (Tensor(a!), Tensor(b!))") |
        Tags(OperatorTag::kDynamicOutputShape)};
const Operator ctc_loss_backward_op{
    "_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
    "target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool "
    "zero_infinity=False) -> Tensor",
    CtcBackwardShape, kOut};
const Operator ctc_loss_backward_tensor_op{
    "_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor "
    "input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, "
    "bool zero_infinity=False) -> Tensor",
    KeyRule::kFirst};
const Operator ctc_loss_op{
    "ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
    "int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
    KeyRule::kFirst};
const Operator ctc_loss_tensor_op{
    "ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
    "target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
