// The integral along a dimension by the trapezoidal rule, of values that lie dx apart or at x;
// cumulative_trapezoid: those from the first value to each of the others.
//   y: at least 1-d, not bool; x: [size at dim], or sizes that broadcast with y's   →   sizes
//   without dim (cumulative_trapezoid: with one position less there)
// Errors: kInvalidArgument for bool tensors, an x of another length, or a dx that is not real;
// kOutOfRange for dim.
// Example: sy::trapezoid(y)
// Source: ATen trapezoid, trapz, cumulative_trapezoid.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator trapezoid_op{"trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"};
const Operator trapezoid_x_op{"trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"};
const Operator trapz_op{"trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor"};
const Operator trapz_x_op{"trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"};
const Operator cumulative_trapezoid_op{
    "cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor"};
const Operator cumulative_trapezoid_x_op{
    "cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor"};

}  // namespace sy
