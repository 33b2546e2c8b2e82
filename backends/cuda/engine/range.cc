#include "backends/cuda/engine/range.h"

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {

void FillRange(Call call, const Tensor& out, const Scalar& start, const Scalar& step) {
  const DType d = out.dtype();
  IntoDense(call, out, d, [&](const Tensor& to) {
    RangeArgs args{to.data(),          to.numel(),         start.To<int64_t>(),
                   step.To<int64_t>(), start.To<double>(), step.To<double>()};
    Launch(
        call,
        Specialised("range", "RangeArgs", "Range").Element(d).Number(IsIntegral(d, true) ? 0 : 1),
        BlocksFor(args.n), args);
  });
}

}  // namespace sy::cuda
