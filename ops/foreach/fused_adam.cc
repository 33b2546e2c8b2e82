// A step of Adam, or of AdamW, for each parameter of a list, in one pass.
//   self: one or more parameters, floating, which are written; grads, exp_avgs, exp_avg_sqs:
//   tensors like them; max_exp_avg_sqs: the same with amsgrad, else empty; state_steps: how many
//   steps there were, this one included, a tensor of one element for each; lr, grad_scale,
//   found_inf: as _fused_sgd   →   nothing; of the functional variant the lists as they would be
// Adam adds weight_decay times the parameter to the gradient, AdamW subtracts lr weight_decay times
// the parameter from it. out= takes the parameters alone, and nothing else is written then.
// Errors: kInvalidArgument for no tensors, lists of other lengths, tensors that are not like self's
// (PyTorch reads beside smaller ones); kNotImplemented for other dtypes.
// Example: sy::_fused_adam_({x}, {y}, {a}, {b}, {}, {t}, 0.1, 0.9, 0.99, 0., 1e-8, false, false)
// Source: ATen _fused_adam, _fused_adamw.
#include "switchyard/op/operator.h"

namespace sy {

const Operator adam_op{
    "_fused_adam(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, "
    "Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, "
    "float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, "
    "Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] "
    "exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)",
    KeyRule::kFirst};
const Operator adam_out_op{
    "_fused_adam.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] "
    "exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float "
    "beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adam_tensor_op{
    "_fused_adam.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] "
    "exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, "
    "float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, "
    "Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)",
    KeyRule::kFirst};
const Operator adam_tensor_out_op{
    "_fused_adam.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
    "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor "
    "lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool "
    "maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adam_in_place_op{
    "_fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] "
    "exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float "
    "beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};
const Operator adam_tensor_in_place_op{
    "_fused_adam_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
    "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor "
    "lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool "
    "maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};
const Operator adamw_op{
    "_fused_adamw(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, "
    "Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, "
    "float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, "
    "Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] "
    "exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)",
    KeyRule::kFirst};
const Operator adamw_out_op{
    "_fused_adamw.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] "
    "exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float "
    "beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adamw_tensor_op{
    "_fused_adamw.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] "
    "exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, "
    "float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, "
    "Tensor[] exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)",
    KeyRule::kFirst};
const Operator adamw_tensor_out_op{
    "_fused_adamw.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
    "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor "
    "lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool "
    "maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adamw_in_place_op{
    "_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] "
    "exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float "
    "beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};
const Operator adamw_tensor_in_place_op{
    "_fused_adamw_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
    "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor "
    "lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool "
    "maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};

}  // namespace sy
