// Multiplies the elements of self along `dim`, or all of them.
//   self: any sizes; dim: one dimension   →   the sizes left (the reduced one stays as 1 with
//   keepdim); `dtype` if given, int64 for integers and bool, else dtype of self
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::prod(x, 0)
// Source: ATen prod.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void ProdRule(Rule& r, const Meta& self, Optional<DType> dtype) {
  r.Output(ReduceSizes(r, self, std::nullopt, false).sizes, AccumulatedDType(r, self, dtype));
}

void ProdDimRule(Rule& r, const Meta& self, int64_t dim, bool keepdim, Optional<DType> dtype) {
  r.Output(ReduceSizes(r, self, IntSpan(&dim, 1), keepdim).sizes, AccumulatedDType(r, self, dtype));
}

}  // namespace

const Operator prod_op{"prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", ProdRule,
                       Out("out")};
const Operator prod_dim_op{
    "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    ProdDimRule, Out("int_out")};

}  // namespace sy
