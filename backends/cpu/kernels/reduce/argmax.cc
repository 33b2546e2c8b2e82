#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet max_at, min_at;
}
namespace {

void Argmax(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool) {
  Reduce(loops::max_at, call.dtype(), self, dim ? DimMask(*dim) : kAllDims, {{&out, 1}});
}

void Argmin(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool) {
  Reduce(loops::min_at, call.dtype(), self, dim ? DimMask(*dim) : kAllDims, {{&out, 1}});
}

const Kernel kernel{"argmax", "cpu", loops::max_at.dtypes & ~Bit(DType::kBool), Argmax};
const Kernel argmin_kernel{"argmin", "cpu", loops::min_at.dtypes & ~Bit(DType::kBool), Argmin};

}  // namespace
}  // namespace sy::cpu
