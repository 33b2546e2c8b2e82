// A step of Adagrad for each parameter of a list, in one pass.
//   self: one or more parameters, floating, which are written; grads, state_sums: tensors like
//   them; state_steps: how many steps there were, this one included, a tensor of one element for
//   each; lr, grad_scale, found_inf: as _fused_sgd   →   nothing; of the functional variant the
//   lists as they would be
// out= takes the parameters alone, and nothing else is written then.
// Errors: kInvalidArgument for no tensors, lists of other lengths, tensors that are not like self's
// (PyTorch reads beside smaller ones); kNotImplemented for other dtypes.
// Example: sy::_fused_adagrad_({x}, {y}, {a}, {t}, 0.1, 0., 0., 1e-8, false)
// Source: ATen _fused_adagrad.
#include "switchyard/op/operator.h"

namespace sy {

const Operator adagrad_op{
    "_fused_adagrad(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] state_steps, "
    "*, float lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? "
    "grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, "
    "Tensor[] state_sums_out, Tensor[] state_steps_out)",
    KeyRule::kFirst};
const Operator adagrad_out_op{
    "_fused_adagrad.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, "
    "Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, "
    "bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adagrad_tensor_op{
    "_fused_adagrad.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] "
    "state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, "
    "Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] "
    "grads_out, Tensor[] state_sums_out)",
    KeyRule::kFirst};
const Operator adagrad_tensor_out_op{
    "_fused_adagrad.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, "
    "Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool "
    "maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator adagrad_in_place_op{
    "_fused_adagrad_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, "
    "Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, "
    "bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};
const Operator adagrad_tensor_in_place_op{
    "_fused_adagrad_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] "
    "state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, "
    "float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};

}  // namespace sy
