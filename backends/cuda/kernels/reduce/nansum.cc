#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

void Nansum(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  const bool integers = IsIntegral(self.dtype(), true) || IsIntegral(call.dtype(), true);
  if (!integers && !Contains(kFloatingTypes, call.dtype())) {
    FailNansum(call);
  }
  Reduce(call, integers ? kSum : kNanSum, call.dtype(), self, DimMask(dim), &out);
}

const Kernel nansum{"nansum", "cuda", kFormula<f::Sum>.dtypes(), Nansum};

}  // namespace
}  // namespace sy::cuda
