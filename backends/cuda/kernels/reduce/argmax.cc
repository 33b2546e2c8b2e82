#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/kernels/reduce/dtypes.h"

namespace sy::cuda {
namespace {

template <const Reduction& kWhich>
void Position(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, dim ? DimMask(*dim) : kAllDims, nullptr, &out);
}

const Kernel argmax{"argmax", "cuda", kOrdered & ~kBool, Position<kMaxAt>};
const Kernel argmin{"argmin", "cuda", kOrdered & ~kBool, Position<kMinAt>};

}  // namespace
}  // namespace sy::cuda
