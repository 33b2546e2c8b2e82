// arange: start + i * step, in int64 for integers and in float64 otherwise.
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Arange(Call, const Tensor& out, const Scalar& start, const Scalar& /*end*/, const Scalar& step,
            Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  VisitDType<kRealTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Wide = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;  // which wraps
    using Exact = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
    const Wide from = static_cast<Wide>(start.To<Exact>()),
               by = static_cast<Wide>(step.To<Exact>());
    T* p = static_cast<T*>(out.data());
    ParallelFor(out.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) p[i] = static_cast<T>(from + by * static_cast<Wide>(i));
    });
  });
}

const Kernel kernel{"arange.start_step", "cpu", kRealTypes, Arange};

}  // namespace
}  // namespace sy::cpu
