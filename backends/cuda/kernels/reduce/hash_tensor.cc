#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void HashTensor(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool, int64_t) {
  constexpr Reduction kXor{"f::XorOfBits"};
  const DType wide = IsFloating(self.dtype()) ? DType::kFloat64 : DType::kInt64;
  Reduce(call, kXor, wide, self, DimMask(dim), &out);
}
const Kernel hash_tensor{"hash_tensor", "cuda", kRealOrBoolTypes, HashTensor};

}  // namespace
}  // namespace sy::cuda
