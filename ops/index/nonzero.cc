// The positions of elements that are not 0, in row-major order. argwhere is nonzero; nonzero_static
// has a number of rows that is given, filling up with fill_value or leaving out the last;
// nonzero_numpy, and where of a condition alone, give a tensor for each dimension, one for a 0-d
// tensor.
//   self: any sizes   →   [number of them, self.dim()], int64
// Errors: kInvalidArgument for a negative size.
// Example: sy::nonzero(x)
// Source: ATen nonzero, argwhere, nonzero_static, nonzero_numpy, where.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NonzeroStaticShape(ShapeContext& r, const TensorBase& self, int64_t size,
                        int64_t /*fill_value*/) {
  if (size < 0) r.Fail({"size must not be negative, got ", size});
  r.Output({size, self.dim()}, DType::kInt64);
}

}  // namespace

// How many there are depends on the data: the kernel returns the result.
const Operator nonzero_op{"nonzero(Tensor self) -> Tensor", KeyRule::kFirst,
                          kOut | Tags(OperatorTag::kDynamicOutputShape)};
const Operator argwhere_op{"argwhere(Tensor self) -> Tensor", KeyRule::kFirst,
                           Tags(OperatorTag::kDynamicOutputShape)};
const Operator nonzero_static_op{
    "nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor", NonzeroStaticShape,
    kOut};
const Operator nonzero_numpy_op{"nonzero_numpy(Tensor self) -> Tensor[]", KeyRule::kFirst};
const Operator where_condition_op{"where(Tensor condition) -> Tensor[]", KeyRule::kFirst};

}  // namespace sy
