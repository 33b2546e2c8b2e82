#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

template <const Reduction& kWhich>
void OfDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, DimMask(dim), &out);
}
void Aminmax(Call call, const Tensor& min, const Tensor& max, const Tensor& self,
             std::optional<int64_t> dim, bool) {
  const uint64_t mask = dim ? DimMask(*dim) : kAllDims;
  Reduce(call, kMin, call.dtype(), self, mask, &min);
  Reduce(call, kMax, call.dtype(), self, mask, &max);
}

const Kernel amax{"amax", "cuda", kFormula<f::Max>.dtypes(), OfDims<kMax>};
const Kernel amin{"amin", "cuda", kFormula<f::Min>.dtypes(), OfDims<kMin>};
const Kernel aminmax{"aminmax", "cuda", kFormula<f::Max>.dtypes(), Aminmax};

}  // namespace
}  // namespace sy::cuda
