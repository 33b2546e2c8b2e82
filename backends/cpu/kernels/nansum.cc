#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum, nansum;
}
namespace {

void Nansum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  const ReduceSet& set = IsIntegral(call.dtype(), true) ? loops::sum : loops::nansum;
  Reduce(set, call.dtype(), self, DimMask(self, dim), {{&out, 0}});
}

const Kernel kernel{"nansum", "cpu", loops::sum.dtypes & ~kComplexTypes, Nansum};

}  // namespace
}  // namespace sy::cpu
