#include "backends/cuda/engine/scan_lines.h"
#include "backends/cuda/plan/types.h"

namespace sy::cuda {
namespace {

void Cumsum(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  ScanLines(call, LineScan::kSum, dim, self, out);
}
void Cumprod(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  ScanLines(call, LineScan::kProduct, dim, self, out);
}

constexpr DTypeMask kSummed = kIntegers | kFloatingTypes | kComplexes;
const Kernel cumsum{"cumsum", "cuda", kSummed, Cumsum};
const Kernel cumprod{"cumprod", "cuda", kSummed, Cumprod};

}  // namespace
}  // namespace sy::cuda
