// Numbers from start to end in steps of `step` (1); unlike arange's, end is one of them where a
// step meets it.
//   start, end, step: numbers   →   [floor((end - start) / step) + 1]; `dtype`, or else the default
//   dtype; of an integer dtype start, end and step are cut to integers first
// Errors: kInvalidArgument for a step of 0 or away from end, and bounds that are not finite;
// kNotImplemented for bool, complex and the wider unsigned dtypes.
// Example: sy::range(0, 10, 2)
// Source: ATen range.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator range_op{
    "range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor"};
const Operator range_step_op{
    "range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"};
const Operator range_out_op{
    "range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator range_without_step_out_op{
    "range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
