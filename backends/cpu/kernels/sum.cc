#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}
namespace {

void Sum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
         Optional<DType>) {
  Reduce(loops::sum, call.dtype(), self, DimMask(self, dim), {{&out, 0}});
}

const Kernel kernel{"sum.dim_IntList", "cpu", loops::sum.dtypes, Sum};

}  // namespace
}  // namespace sy::cpu
