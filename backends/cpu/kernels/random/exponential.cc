// Source: at::transformation::exponential, ATen/core/TransformationHelper.h. What PyTorch draws
// from MKL on Intel processors is drawn here as it does everywhere else.
#include <cmath>
#include <mutex>

#include "backends/cpu/random/fill.h"

namespace sy::cpu {
namespace {

void Exponential(Call call, const Tensor& out, const Tensor&, double lambd, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
    FillFromUniform<typename decltype(tag)::type>(
        g, t, [factor = -1 / lambd](double u) { return factor * std::log1p(-u); });
  });
}

const Kernel kernel{"exponential", "cpu", kFloatingTypes, Exponential};

}  // namespace
}  // namespace sy::cpu
