#include <limits>

#include "backends/cuda/engine/select.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

template <Median kMedian>
void MedianDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
               int64_t dim, bool) {
  SelectOne(call, values, indices, self, dim, 0, kMedian);
}
template <Median kMedian>
void MedianOfAll(Call call, const Tensor& out, const Tensor& self) {
  if (self.numel() == 0)
    return FillElements(call, out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  const Tensor flat = Flat(Dense(call, self, self.dtype()));
  const Tensor place = Tensor::Empty(IntSpan(), DType::kInt64, self.device());
  SelectOne(call, out, place, flat, 0, 0, kMedian);
}

// Of no elements any dtype has a median.
constexpr DTypeMask kOfNothing = kRealTypes | kComplexTypes | kBool;
const Kernel median{"median", "cuda", kOfNothing, MedianOfAll<Median::kWithNaN>};
const Kernel median_dim{"median.dim", "cuda", kRealTypes, MedianDim<Median::kWithNaN>};
const Kernel nanmedian{"nanmedian", "cuda", kOfNothing, MedianOfAll<Median::kWithoutNaN>};
const Kernel nanmedian_dim{"nanmedian.dim", "cuda", kRealTypes, MedianDim<Median::kWithoutNaN>};

}  // namespace
}  // namespace sy::cuda
