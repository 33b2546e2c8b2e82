#include "backends/cuda/engine/scan_lines.h"
#include "backends/cuda/plan/types.h"

namespace sy::cuda {
namespace {

void LogCumSumExp(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  ScanLines(call, LineScan::kLogSumExp, dim, self, out);
}

const Kernel logcumsumexp{"logcumsumexp", "cuda", kFloatingTypes | kComplexes, LogCumSumExp};

}  // namespace
}  // namespace sy::cuda
