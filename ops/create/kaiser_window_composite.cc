// kaiser_window by i0, in float64 and rounded once.

#include "ops/create/window_composite.h"

namespace sy {
namespace {

struct KaiserOf {
  double beta;
  Tensor operator()(const Tensor& k, int64_t last) const {
    const Tensor x = to(k, DType::kFloat64, false, true);
    sub_(mul_(x, 2 / static_cast<double>(last)), 1);
    const Tensor height = clamp_min_(add_(neg_(square_(x)), 1), 0);
    const Tensor peak = full({}, beta, DType::kFloat64, std::nullopt, k.device());
    return to(div_(i0_(mul_(sqrt_(height), beta)), i0_(peak)), k.dtype());
  }
};
Tensor Kaiser(const Tensor& k, int64_t last) { return KaiserOf{12}(k, last); }

const Composite kaiser_body{"kaiser_window", Window<Kaiser>};
const Composite kaiser_out_body{"kaiser_window.out", WindowOut<Kaiser>};
const Composite kaiser_periodic_body{"kaiser_window.periodic", WindowPeriodic<Kaiser>};
const Composite kaiser_periodic_out_body{"kaiser_window.periodic_out", WindowPeriodicOut<Kaiser>};

Tensor KaiserBeta(Call call, int64_t length, bool periodic, double beta, Optional<DType> dtype,
                  Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return MakeWindow(call, length, periodic, {dtype, layout, device, pin_memory}, KaiserOf{beta});
}
void KaiserBetaOut(Call call, int64_t length, bool periodic, double beta, const Tensor& out) {
  MakeWindowOut(call, length, periodic, out, KaiserOf{beta});
}
const Composite kaiser_beta_body{"kaiser_window.beta", KaiserBeta};
const Composite kaiser_beta_out_body{"kaiser_window.beta_out", KaiserBetaOut};

}  // namespace
}  // namespace sy
