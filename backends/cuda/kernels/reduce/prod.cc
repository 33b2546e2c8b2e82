#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/kernels/reduce/dtypes.h"

namespace sy::cuda {
namespace {

void Prod(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, kAllDims, &out);
}
void ProdDim(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool, Optional<DType>) {
  Reduce(call, kProd, call.dtype(), self, DimMask(dim), &out);
}

const Kernel prod{"prod", "cuda", kSummed, Prod};
const Kernel prod_dim{"prod.dim_int", "cuda", kSummed, ProdDim};

}  // namespace
}  // namespace sy::cuda
