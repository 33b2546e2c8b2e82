// Second names of convolution, without groups, for kernels of kernel_size.
//   self: [n, c, ..] (slow_conv_dilated and slow_conv_transpose also [c, ..]; slow_conv3d also a
//   multiple of weight's channels, which makes groups), weight: [o, c, ..] or, in two dimensions, a
//   matrix [o, c kernel_h kernel_w], transposed: [c, o, ..], bias: [o] or absent; one dtype, not
//   bool; stride … dilation: as convolution's (convolution.cc)   →   as convolution's;
//   slow_conv_transpose2d always [n, o, ..]
// Errors: kInvalidArgument for what convolution refuses, and a weight that is not of kernel_size.
// Example: sy::thnn_conv2d(x, y, {3, 3})
// Source: ATen thnn_conv2d, _slow_conv2d_forward, slow_conv3d, slow_conv3d_forward,
// slow_conv_dilated2d, slow_conv_dilated3d, slow_conv_transpose2d, slow_conv_transpose3d.
#include "switchyard/op/operator.h"

namespace sy {

const Operator thnn_conv2d_op{
    "thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] "
    "stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator slow_conv2d_forward_op{
    "_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
    "SymInt[2] stride, SymInt[2] padding) -> Tensor",
    KeyRule::kFirst,
    Out("_slow_conv2d_forward.output(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
        "bias, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) output) -> Tensor(a!)")};
const Operator slow_conv3d_op{
    "slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] "
    "stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor",
    KeyRule::kFirst, kOut};
const Operator slow_conv3d_forward_op{
    "slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
    "SymInt[3] stride, SymInt[3] padding) -> Tensor",
    KeyRule::kFirst,
    Out("slow_conv3d_forward.output(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
        "bias, SymInt[3] stride, SymInt[3] padding, *, Tensor(a!) output) -> Tensor(a!)")};
const Operator slow_conv_dilated2d_op{
    "slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
    "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator slow_conv_dilated3d_op{
    "slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
    "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> "
    "Tensor",
    KeyRule::kFirst, kOut};
const Operator slow_conv_transpose2d_op{
    "slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
    "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt[2] "
    "dilation=[1, 1]) -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator slow_conv_transpose3d_op{
    "slow_conv_transpose3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
    "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], "
    "SymInt[3] dilation=[1, 1, 1]) -> Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
