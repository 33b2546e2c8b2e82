#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void CountDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim) {
  Reduce(call, kSum, DType::kBool, self, DimMask(dim), &out);
}
void Count(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
  CountDims(call, out, self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

const Kernel count{"count_nonzero", "cuda", kCountedTypes, Count};
const Kernel count_dims{"count_nonzero.dim_IntList", "cuda", kCountedTypes, CountDims};

}  // namespace
}  // namespace sy::cuda
