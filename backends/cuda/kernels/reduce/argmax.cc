#include <optional>

#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::cuda {
namespace {

template <const Reduction& kWhich>
void Position(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim, bool) {
  Reduce(call, kWhich, call.dtype(), self, dim ? DimMask(*dim) : kAllDims, nullptr, &out);
}

const Kernel argmax{"argmax", "cuda", kFormula<f::MaxAt>.dtypes() & ~Bit(DType::kBool),
                    Position<kMaxAt>};
const Kernel argmin{"argmin", "cuda", kFormula<f::MinAt>.dtypes() & ~Bit(DType::kBool),
                    Position<kMinAt>};

}  // namespace
}  // namespace sy::cuda
