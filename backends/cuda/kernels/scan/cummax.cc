#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/scan_lines.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

template <bool kLeast>
void CumulativeExtreme(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  if (self.dim() == 0) {  // of one number of any kind, there is no order to ask for
    CopyElements(call, values, self);
    return FillElements(call, indices, Scalar(0));
  }
  if (!Contains(kRealOrBoolTypes, self.dtype())) FailDTypeNotIn(self.dtype(), kRealOrBoolTypes);
  ScanLines(call, kLeast ? LineScan::kMin : LineScan::kMax, dim, self, values, &indices);
}

const Kernel cummax{"cummax", "cuda", kRealOrBoolTypes | kComplexes, CumulativeExtreme<false>};
const Kernel cummin{"cummin", "cuda", kRealOrBoolTypes | kComplexes, CumulativeExtreme<true>};

}  // namespace
}  // namespace sy::cuda
