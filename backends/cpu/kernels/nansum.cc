#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum, nansum;
}
namespace {

void Nansum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  const bool integers = IsIntegral(self.dtype(), true) || IsIntegral(call.dtype(), true);
  const ReduceSet& set = integers ? loops::sum : loops::nansum;
  if (!Contains(set.dtypes, call.dtype())) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): a floating tensor cannot be summed in ", call.dtype()});
  }
  Reduce(set, call.dtype(), self, DimMask(self, dim), {{&out, 0}});
}

const Kernel kernel{"nansum", "cpu", loops::sum.dtypes, Nansum};

}  // namespace
}  // namespace sy::cpu
