#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/plan/types.h"

namespace sy::cuda {
namespace {

void CountDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim) {
  Reduce(call, kSum, DType::kBool, self, DimMask(dim), &out);
}
void Count(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
  CountDims(call, out, self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

constexpr DTypeMask kCounted = kAllTypes & ~(kWideUnsigned | kFloat8s);
const Kernel count{"count_nonzero", "cuda", kCounted, Count};
const Kernel count_dims{"count_nonzero.dim_IntList", "cuda", kCounted, CountDims};

}  // namespace
}  // namespace sy::cuda
