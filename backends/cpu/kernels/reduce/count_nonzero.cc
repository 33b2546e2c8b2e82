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

constexpr DTypeMask kCounted = kAllTypes & ~(kWideUnsignedTypes | kFloat8Types);
const Kernel kernel{"count_nonzero", "cpu", kCounted, Count};
const Kernel dims_kernel{"count_nonzero.dim_IntList", "cpu", kCounted, CountDims};

}  // namespace
}  // namespace sy::cpu
