#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/kernels/reduce/dtypes.h"

namespace sy::cuda {
namespace {

void Sum(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, kAllDims, &out);
}
void SumDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, DimMask(dim), &out);
}

const Kernel sum{"sum", "cuda", kSummed, Sum};
const Kernel sum_dim{"sum.dim_IntList", "cuda", kSummed, SumDim};

}  // namespace
}  // namespace sy::cuda
