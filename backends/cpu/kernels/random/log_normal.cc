// Source: at::lognormal_distribution<double>, ATen/core/DistributionsHelper.h: always in sequence.
#include <cmath>
#include <mutex>

#include "backends/cpu/random/normal.h"

namespace sy::cpu {
namespace {

void LogNormal(Call call, const Tensor& out, const Tensor&, double mean, double std,
               Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  NormalSequence normal(g);
  VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    FillChunks<T>(t, [&](T* x, int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        x[i] = static_cast<T>(std::exp(std::fma(normal.Next(), std, mean)));
    });
  });
}

const Kernel kernel{"log_normal", "cpu", kFloatingTypes, LogNormal};

}  // namespace
}  // namespace sy::cpu
