// Counts are whole numbers, so that the order in which they grow does not matter; weights are added
// in order.

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/index.h"
#include "backends/cuda/kernels/sort/counts.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/histogram.h"

namespace sy::cuda {
namespace {

Tensor Bincount(Call call, const Tensor& self, const Tensor& weights, int64_t minlength) {
  RequireBincount(call, self, weights, minlength);
  const Device device = self.device();
  if (self.numel() == 0) return Zeros(call, minlength, DType::kInt64, device);
  const auto [least, most] = ExtremesOf(call, self);
  const int64_t length = BincountLength(call, least.To<int64_t>(), most.To<int64_t>(), minlength);
  if (weights.defined()) {
    const DType d = weights.dtype() == DType::kFloat32 ? DType::kFloat32 : DType::kFloat64;
    Tensor out = Zeros(call, length, d, device);
    PutElements(call, Combine::kAdd, out, 0, Dense(call, self, DType::kInt64),
                Dense(call, weights, d));
    return out;
  }
  const Tensor numbers = Dense(call, self, self.dtype());
  HistogramArgs args{};
  args.n = numbers.numel();
  args.bins = length;
  args.x = numbers.data();
  return Counted(call, "CountNumbers", numbers.dtype(), args, device);
}
const Kernel bincount{"bincount", "cuda", kIntegers, Bincount};

}  // namespace
}  // namespace sy::cuda
