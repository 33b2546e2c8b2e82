// Source: at::transformation::cauchy, ATen/core/TransformationHelper.h.
#include <cmath>
#include <mutex>
#include <numbers>

#include "backends/cpu/random/fill.h"

namespace sy::cpu {
namespace {

void Cauchy(Call call, const Tensor& out, const Tensor&, double median, double sigma,
            Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
    FillFromUniform<typename decltype(tag)::type>(g, t, [=](double u) {
      return std::fma(sigma, std::tan(std::numbers::pi * (u - 0.5)), median);
    });
  });
}

const Kernel kernel{"cauchy", "cpu", kFloatingTypes, Cauchy};

}  // namespace
}  // namespace sy::cpu
