#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet min, min_at;
}
namespace {

void Min(Call call, const Tensor& out, const Tensor& self) {
  Reduce(loops::min, call.dtype(), self, kAllDims, {{&out, 0}});
}

void MinDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
            bool) {
  Reduce(loops::min_at, call.dtype(), self, DimMask(dim), {{&values, 0}, {&indices, 1}});
}

const Kernel kernel{"min", "cpu", loops::min.dtypes, Min};
const Kernel dim_kernel{"min.dim", "cpu", loops::min_at.dtypes, MinDim};

}  // namespace
}  // namespace sy::cpu
