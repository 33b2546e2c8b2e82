#include <optional>

#include "backends/cuda/engine/reduce.h"

namespace sy::cuda {
namespace {

void MeanDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
             Optional<DType>) {
  Reduce(call, kMean, call.dtype(), self, DimMask(dim), &out);
}

const Kernel mean{"mean.dim", "cuda", kFloatingTypes | kComplexTypes, MeanDim};

}  // namespace
}  // namespace sy::cuda
