// Sums the elements of self along `dim`, or all of them.
//   self: any sizes; dim: none, one or several dimensions (none: all)   →   the sizes left (reduced
//   ones stay as 1 with keepdim); `dtype` if given, int64 for integers and bool, else dtype of self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for one named twice.
// Example: sy::sum(x, {0, 1}, /*keepdim=*/true)
// Source: ATen sum.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SumShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim, bool keepdim,
              Optional<DType> dtype) {
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, AccumulatedDType(r, self, dtype));
}

void SumAllShape(ShapeContext& r, const TensorBase& self, Optional<DType> dtype) {
  r.Output(IntSpan(), AccumulatedDType(r, self, dtype));
}

}  // namespace

const Operator sum_op{"sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", SumAllShape,
                      Out("out") | Tags(OperatorTag::kReduction)};
const Operator sum_dim_op{
    "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
    "Tensor",
    SumShape, Out("IntList_out") | Tags(OperatorTag::kReduction)};

}  // namespace sy
