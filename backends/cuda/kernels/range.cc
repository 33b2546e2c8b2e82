#include "backends/cuda/kernels/range.h"

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/run.h"

namespace sy::cuda {

void FillRange(Call call, const Tensor& out, const Scalar& start, const Scalar& step) {
  const DType d = out.dtype();
  IntoDense(call, out, d, [&](const Tensor& to) {
    RangeArgs args{to.data(),          to.numel(),         start.To<int64_t>(),
                   step.To<int64_t>(), start.To<double>(), step.To<double>()};
    static constexpr DeviceFunction kRange{"range", "RangeArgs", "Range"};
    RunDevice(call, kRange, {d}, {IsIntegral(d, true) ? 0 : 1}, BlocksFor(args.n), args);
  });
}

namespace {

void Arange(Call call, const Tensor& out, const Scalar& start, const Scalar&, const Scalar& step,
            Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  FillRange(call, out, start, step);
}
const Kernel arange{"arange.start_step", "cuda", kIntegers | kFloatingTypes, Arange};

}  // namespace
}  // namespace sy::cuda
