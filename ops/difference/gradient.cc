// The gradient along each of several dimensions (all unless told otherwise), by central differences
// of neighbours and, at the ends, one-sided ones of first or second order.
//   self: edge_order + 1 positions or more in these dimensions; spacing: one number for all, one
//   for each, or each one's coordinates as a vector   →   a list of tensors of self's sizes
// Errors: kInvalidArgument for an edge_order other than 1 and 2, dimensions that are too small or
// named twice, and spacings that are not as many; kOutOfRange for a dimension out of range.
// Example: sy::gradient(x)
// Source: ATen gradient.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator gradient_scalarint_op{
    "gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> "
    "Tensor[]"};
const Operator gradient_scalararray_op{
    "gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> "
    "Tensor[]"};
const Operator gradient_array_op{
    "gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]"};
const Operator gradient_scalarrayint_op{
    "gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> "
    "Tensor[]"};
const Operator gradient_scalarrayarray_op{
    "gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> "
    "Tensor[]"};
const Operator gradient_tensorarrayint_op{
    "gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> "
    "Tensor[]"};
const Operator gradient_tensorarray_op{
    "gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> "
    "Tensor[]"};

}  // namespace sy
