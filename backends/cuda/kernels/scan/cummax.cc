#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/scan_lines.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kOrdered = kIntegers | kFloatingTypes | kBool;

template <bool kLeast>
void CumulativeExtreme(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  if (self.dim() == 0) {  // of one number of any kind, there is no order to ask for
    CopyElements(call, values, self);
    return FillElements(call, indices, Scalar(0));
  }
  if (!Contains(kOrdered, self.dtype())) FailDTypeNotIn(self.dtype(), kOrdered);
  ScanLines(call, kLeast ? LineScan::kMin : LineScan::kMax, dim, self, values, &indices);
}

const Kernel cummax{"cummax", "cuda", kOrdered | kComplexes, CumulativeExtreme<false>};
const Kernel cummin{"cummin", "cuda", kOrdered | kComplexes, CumulativeExtreme<true>};

}  // namespace
}  // namespace sy::cuda
