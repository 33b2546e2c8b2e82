#include "backends/cuda/engine/scan_lines.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Cumsum(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  ScanLines(call, LineScan::kSum, dim, self, out);
}
void Cumprod(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  ScanLines(call, LineScan::kProduct, dim, self, out);
}

const Kernel cumsum{"cumsum", "cuda", kNumberTypes, Cumsum};
const Kernel cumprod{"cumprod", "cuda", kNumberTypes, Cumprod};

}  // namespace
}  // namespace sy::cuda
