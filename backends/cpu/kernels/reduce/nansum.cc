#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

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
    FailNansum(call);
  }
  Reduce(set, call.dtype(), self, DimMask(dim), {{&out, 0}});
}

const Kernel kernel{"nansum", "cpu", loops::sum.dtypes, Nansum};

}  // namespace
}  // namespace sy::cpu
