// What products of matrices, and layers of a network, pass back, as far as a mask asks for it.
//   matmul_backward: grad: sizes of matmul(self, other), mask: of self, other   →   sizes of self
//   and other
//   linear_backward: self: [.., k], grad_output: [.., n], weight: [n, k], output_mask: of self,
//   weight, bias   →   sizes of self, of weight, and [n]
// One dtype, not bool; undefined where not asked for.
// Errors: kInvalidArgument when sizes or dtypes do not fit.
// Example: sy::matmul_backward(g, a, b, std::array{true, true})
// Source: ATen matmul_backward, linear_backward.
#include "switchyard/op/operator.h"

namespace sy {

const Operator matmul_backward_op{
    "matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, Tensor)",
    KeyRule::kFirst,
    Out("matmul_backward.out(Tensor grad, Tensor self, Tensor other, bool[2] mask, *, Tensor(a!) "
        "out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))")};
const Operator linear_backward_op{
    "linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> "
    "(Tensor, Tensor, Tensor)",
    KeyRule::kFirst,
    Out("linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask, "
        "*, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
        "Tensor(c!))") |
        Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
