// What batch_norm passes back to input, weight and bias, as far as output_mask asks for it.
//   grad_out, input: the same sizes, [n, c, ..], and floating dtype; weight: [c] or absent;
//   save_mean, save_invstd, of the batch, where `train` (or `update`), else running_mean,
//   running_var: [c]   →   like input, [c], [c]; what is not asked for is undefined
// Errors: kInvalidArgument for sizes or dtypes that do not fit and statistics that are missing;
// kNotImplemented for other dtypes.
// Example: sy::native_batch_norm_backward(g, x, {}, {}, {}, a, b, true, 1e-5,
// std::array{true, true, true})
// Source: ATen native_batch_norm_backward, batch_norm_backward.
#include "switchyard/op/operator.h"

namespace sy {

// Without shape functions, whose outputs are all defined.
const Operator native_batch_norm_backward_op{
    "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
    "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float "
    "eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst,
    Out("native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
        "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, "
        "float eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
        "(Tensor(a!), Tensor(b!), Tensor(c!))") |
        Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator batch_norm_backward_op{
    "batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, "
    "Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] "
    "output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)",
    KeyRule::kFirst};

}  // namespace sy
