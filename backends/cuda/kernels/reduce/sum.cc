#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

void Sum(Call call, const Tensor& out, const Tensor& self, Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, kAllDims, &out);
}
void SumDim(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool,
            Optional<DType>) {
  Reduce(call, kSum, call.dtype(), self, DimMask(dim), &out);
}

const Kernel sum{"sum", "cuda", kFormula<f::Sum>.dtypes(), Sum};
const Kernel sum_dim{"sum.dim_IntList", "cuda", kFormula<f::Sum>.dtypes(), SumDim};

}  // namespace
}  // namespace sy::cuda
