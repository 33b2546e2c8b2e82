#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}
namespace {

void Sum(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(loops::sum, call.dtype(), self, kAllDims, {{&out, 0}});
}

void SumDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  Reduce(loops::sum, call.dtype(), self, DimMask(dim), {{&out, 0}});
}

const Kernel kernel{"sum", "cpu", loops::sum.dtypes, Sum};
const Kernel dim_kernel{"sum.dim_IntList", "cpu", loops::sum.dtypes, SumDim};

}  // namespace
}  // namespace sy::cpu
