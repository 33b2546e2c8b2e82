// median and nanmedian.
#include <algorithm>
#include <limits>
#include <utility>

#include "backends/cpu/kernels/sort/select_lines.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/sort_keys.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// NaN is the median where there is one, unless it does not count. Of an even number of elements it
// is the lower one.
template <bool kSkipNaN>
void MedianDim(Call, const Tensor& values, const Tensor& indices, const Tensor& self, int64_t dim,
               bool) {
  const bool has_nan = IsFloating(self.dtype());
  const auto pick = [has_nan](auto* e, auto*, int64_t n) {
    int64_t numbers = n;
    if (has_nan) {
      using K = decltype(e->key);
      const auto* end = std::partition(e, e + n, [](auto& x) { return x.key != kNaNKey<K>; });
      numbers = end - e;
    }
    const bool nan = kSkipNaN ? numbers == 0 : numbers < n;
    if (nan) {
      std::swap(e[0], *std::min_element(e + numbers, e + n, EntryLess<decltype(e->key)>()));
    } else {
      BringKth(e, numbers, (numbers - 1) / 2);
    }
  };
  SelectLines(values, indices, self, dim, false, OfWhole(pick));
}

template <bool kSkipNaN>
void Median(Call call, const Tensor& out, const Tensor& self) {
  if (self.numel() == 0) return FillElements(out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  Tensor flat = Tensor::Empty(self.sizes(), self.dtype());
  CopyElements(flat, self);
  const int64_t n[] = {self.numel()}, one[] = {1};
  MedianDim<kSkipNaN>(call, out, Tensor::Empty(IntSpan(), DType::kInt64), flat.AsStrided(n, one, 0),
                      0, false);
}

// Of no elements any dtype has a median.
constexpr DTypeMask kOfNothing = kRealTypes | kComplexTypes | Bit(DType::kBool);
const Kernel median_kernel{"median", "cpu", kOfNothing, Median<false>};
const Kernel median_dim_kernel{"median.dim", "cpu", kRealTypes, MedianDim<false>};
const Kernel nanmedian_kernel{"nanmedian", "cpu", kOfNothing, Median<true>};
const Kernel nanmedian_dim_kernel{"nanmedian.dim", "cpu", kRealTypes, MedianDim<true>};

}  // namespace
}  // namespace sy::cpu
