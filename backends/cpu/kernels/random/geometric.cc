// Source: at::transformation::geometric, ATen/core/TransformationHelper.h.
#include <cmath>
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cpu {
namespace {

// Integers wrap, as a conversion by way of int64 does.
template <class T>
T FromTrials(double trials) {
  return Scalar(trials).To<T>();
}

void Geometric(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  std::lock_guard lock(g.mutex());
  const FillTarget t(out);
  VisitDType<kRealTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    FillFromUniform<T>(g, t, [log_failure = std::log(1 - p)](double u) {
      return FromTrials<T>(std::ceil(std::log(u) / log_failure));
    });
  });
}

const Kernel kernel{"geometric", "cpu", kRealTypes, Geometric};

}  // namespace
}  // namespace sy::cpu
