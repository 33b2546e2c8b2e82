#include "backends/cuda/kernels/sort/counts.h"

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

constexpr int64_t kCountItems = 16;  // as device/histogram.h's

}  // namespace

Specialised HistogramKernel(const char* function, DType d) {
  return Specialised("histogram", "HistogramArgs", function).Element(d);
}
Tensor Zeros(Call call, int64_t n, DType d, Device device) {
  Tensor t = Tensor::Empty({n}, d, device);
  FillElements(call, t, Scalar(0));
  return t;
}
Tensor Counted(Call call, const char* function, DType d, HistogramArgs& args, Device device) {
  Tensor counts = Zeros(call, args.bins, DType::kInt64, device);
  args.counts = static_cast<unsigned long long*>(counts.data());
  Launch(call, HistogramKernel(function, d), BlocksFor((args.n + kCountItems - 1) / kCountItems),
         args);
  return counts;
}
std::pair<Scalar, Scalar> ExtremesOf(Call call, const Tensor& t) {
  const Tensor least = Tensor::Empty(IntSpan(), t.dtype(), t.device()),
               most = Tensor::Empty(IntSpan(), t.dtype(), t.device());
  Reduce(call, kReduction<f::Min>, t.dtype(), t, kAllDims, &least);
  Reduce(call, kReduction<f::Max>, t.dtype(), t, kAllDims, &most);
  return {ReadNumber(least), ReadNumber(most)};
}

}  // namespace sy::cuda
