// A step of stochastic gradient descent for each parameter of a list, in one pass.
//   self: one or more parameters, floating, which are written; grads, momentum_buffer_list: tensors
//   like them; no buffers for a momentum of 0; lr: a number, or a tensor of one; grad_scale: what
//   gradients are divided by before, in place; found_inf: 1 where nothing is to be done; both one
//   float32   →   nothing; of the functional variant the lists as they would be
// The gradient, negative to maximize, plus weight_decay times the parameter; it becomes the buffer
// in the first step, and is added with factor 1 - dampening to momentum times the buffer in others;
// what is subtracted is lr times the buffer, or, with nesterov, times gradient + momentum buffer.
// out= takes the parameters alone, and nothing else is written then.
// Errors: kInvalidArgument for no tensors, lists of other lengths, tensors that are not like self's
// (PyTorch reads beside smaller ones); kNotImplemented for other dtypes.
// Of 16-bit floats PyTorch's step on the host mixes up elements of the buffers; this one does not.
// Example: sy::_fused_sgd_({x}, {y}, {a}, 0., 0.9, 0.1, 0., false, false, true)
// Source: ATen _fused_sgd.
#include "switchyard/op/operator.h"

namespace sy {

const Operator sgd_op{
    "_fused_sgd(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, float "
    "weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, "
    "bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] "
    "self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out)",
    KeyRule::kFirst};
const Operator sgd_out_op{
    "_fused_sgd.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, "
    "float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool "
    "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None, "
    "Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator sgd_tensor_op{
    "_fused_sgd.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, "
    "float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool "
    "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> "
    "(Tensor[] self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out)",
    KeyRule::kFirst};
const Operator sgd_tensor_out_op{
    "_fused_sgd.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] "
    "momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, "
    "bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? "
    "found_inf=None, Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator sgd_in_place_op{
    "_fused_sgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, "
    "float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool "
    "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()",
    KeyRule::kFirst};
const Operator sgd_tensor_in_place_op{
    "_fused_sgd_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] "
    "momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, "
    "bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? "
    "found_inf=None) -> ()",
    KeyRule::kFirst};

}  // namespace sy
