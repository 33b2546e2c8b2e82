#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/backends/cpu/kernels/divide_by_count.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}
namespace {

void Mean(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
          Optional<DType>) {
  Reduce(loops::sum, call.dtype(), self, DimMask(dim), {{&out, 0}}, {DivideByCount});
}

const Kernel kernel{"mean.dim", "cpu", kFloatingTypes | kComplexTypes, Mean};

}  // namespace
}  // namespace sy::cpu
