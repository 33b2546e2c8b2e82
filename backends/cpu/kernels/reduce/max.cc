#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet max, max_at;
}
namespace {

void Max(Call call, const Tensor& out, const Tensor& self) {
  Reduce(loops::max, call.dtype(), self, kAllDims, {{&out, 0}});
}

void MaxDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
            bool) {
  Reduce(loops::max_at, call.dtype(), self, DimMask(dim), {{&values, 0}, {&indices, 1}});
}

const Kernel kernel{"max", "cpu", loops::max.dtypes, Max};
const Kernel dim_kernel{"max.dim", "cpu", loops::max_at.dtypes, MaxDim};

}  // namespace
}  // namespace sy::cpu
