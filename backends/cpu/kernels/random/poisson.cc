// Source: _s_poisson_cpu, ATen/native/Distributions.cpp: element after element, each by as many
// numbers as it takes.
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/ops/formulas/counts.h"

namespace sy::cpu {
namespace {

void Poisson(Call call, const Tensor& out, const Tensor& self, Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  const Visit visit = VisitOf(out.sizes(), out.strides(), self.strides());
  VisitDType<kFloatingTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* rates = self.data<T>();
    T* to = out.data<T>();
    Cursor(visit).Next(out.numel(), [&](int64_t, int64_t at, int64_t) {
      const auto rate = static_cast<double>(rates[at]);
      if (!(rate >= 0)) FailRate(call.op(), rate);
    });
    std::lock_guard lock(g.mutex());
    auto next = [&g] {
      uint32_t words[2];
      g.Draw(words);
      return UniformDouble(words);
    };
    Cursor(visit).Next(out.numel(), [&](int64_t at, int64_t from, int64_t) {
      to[at] = static_cast<T>(f::Poisson(static_cast<double>(rates[from]), next));
    });
  });
}

const Kernel kernel{"poisson", "cpu", kFloatingTypes, Poisson};

}  // namespace
}  // namespace sy::cpu
