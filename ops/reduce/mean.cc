// Averages the elements of self along `dim`, or all of them.
//   self: floating or complex, unless `dtype` is; dim: none, one or several dimensions (none: all)
//   →   the sizes left (reduced ones stay as 1 with keepdim); `dtype` if given, else dtype of self
// Errors: kInvalidArgument for integers and bool without dtype, kOutOfRange for a dimension out of
// range.
// Example: sy::mean(x, {-1})
// Source: ATen mean.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MeanShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim, bool keepdim,
               Optional<DType> dtype) {
  const DType in = dtype.value_or(self.dtype());
  if (IsIntegral(in, true))
    r.Fail({"the result must be floating or complex, got ", in, "; give dtype to say which"});
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, AccumulatedDType(r, self, dtype));
}

}  // namespace

const Operator mean_op{"mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", KeyRule::kFirst,
                       Out("dtype_out") | Tags(OperatorTag::kReduction)};
const Operator mean_dim_op{
    "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    MeanShape, Out("out") | Tags(OperatorTag::kReduction)};

}  // namespace sy
