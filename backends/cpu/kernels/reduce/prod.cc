#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet prod;
}
namespace {

void Prod(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(loops::prod, call.dtype(), self, kAllDims, {{&out, 0}});
}

void ProdDim(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool, Optional<DType>) {
  Reduce(loops::prod, call.dtype(), self, DimMask(dim), {{&out, 0}});
}

const Kernel kernel{"prod", "cpu", loops::prod.dtypes, Prod};
const Kernel dim_kernel{"prod.dim_int", "cpu", loops::prod.dtypes, ProdDim};

}  // namespace
}  // namespace sy::cpu
