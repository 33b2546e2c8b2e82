#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet any;
}
namespace {

// An empty list of dimensions reduces none.
void Any(Call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool) {
  const uint64_t mask = dim && dim->empty() ? 0 : DimMask(dim);
  Reduce(loops::any, DType::kBool, self, mask, {{&out, 0}});
}

const Kernel kernel{"any.dims", "cpu", Mask(DType::kBool, DType::kUInt8), Any};

}  // namespace
}  // namespace sy::cpu
