#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

void Prod(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, kAllDims, &out);
}
void ProdDim(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, DimMask(dim), &out);
}

const Kernel prod{"prod", "cuda", kFormula<f::Prod>.dtypes(), Prod};
const Kernel prod_dim{"prod.dim_int", "cuda", kFormula<f::Prod>.dtypes(), ProdDim};

}  // namespace
}  // namespace sy::cuda
