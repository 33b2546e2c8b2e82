#include "backends/cuda/engine/range.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Arange(Call call, const Tensor& out, const Scalar& start, const Scalar&, const Scalar& step,
            Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  FillRange(call, out, start, step);
}
const Kernel arange{"arange.start_step", "cuda", kRealTypes, Arange};

}  // namespace
}  // namespace sy::cuda
