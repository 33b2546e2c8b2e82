#include "switchyard/backends/cpu/engine/engine.h"

#include <algorithm>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/dense.h"

namespace sy::cpu {

void Engine::RequireNoZero(const Call& call, const Tensor& divisors) {
  if (HasZero(divisors, call.dtype())) FailDivisionByZero(call.op());
}

void Engine::RequireProbabilities(const Call& call, const Tensor& t) {
  const Tensor x = Dense(t, WideOf(t.dtype()));
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *p = x.data<T>(), *end = p + x.numel();
    const T* bad = std::find_if(p, end, [](T v) { return !(v >= 0 && v <= 1); });
    if (bad != end) FailProbability(call.op(), static_cast<double>(*bad));
  });
}

}  // namespace sy::cpu
