// Multiplies the elements of self along `dim`, or all of them.
//   self: any sizes; dim: one dimension   →   the sizes left (the reduced one stays as 1 with
//   keepdim); `dtype` if given, int64 for integers and bool, else dtype of self
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::prod(x, 0)
// Source: ATen prod.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ProdShape(ShapeContext& r, const TensorBase& self, Optional<DType> dtype) {
  r.Output(IntSpan(), AccumulatedDType(r, self, dtype));
}

void ProdDimShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim,
                  Optional<DType> dtype) {
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, AccumulatedDType(r, self, dtype));
}

}  // namespace

const Operator prod_op{"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", ProdShape,
                       Out("out") | Tags(OperatorTag::kReduction)};
const Operator prod_dim_op{
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    ProdDimShape, Out("int_out") | Tags(OperatorTag::kReduction)};

}  // namespace sy
