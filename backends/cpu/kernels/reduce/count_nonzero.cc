#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}
namespace {

// As sums of bool.
void CountDims(Call, const Tensor& out, const Tensor& self, IntSpan dim) {
  Reduce(loops::sum, DType::kBool, self, DimMask(dim), {{&out, 0}});
}

void Count(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
  CountDims(call, out, self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

const Kernel kernel{"count_nonzero", "cpu", kCountedTypes, Count};
const Kernel dims_kernel{"count_nonzero.dim_IntList", "cpu", kCountedTypes, CountDims};

}  // namespace
}  // namespace sy::cpu
