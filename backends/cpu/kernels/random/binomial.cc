// Source: _s_binomial_cpu, ATen/native/Distributions.cpp: element after element, each by as many
// numbers as it takes.
#include <mutex>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/ops/formulas/counts.h"

namespace sy::cpu {
namespace {

void Binomial(Call call, const Tensor& out, const Tensor& count, const Tensor& prob,
              Generator* generator) {
  if (out.numel() == 0) return;
  Generator& g = GeneratorOf(call, generator);
  const Tensor trials = Expanded(count, out.sizes()), p = Expanded(prob, out.sizes());
  // Two cursors, since a visit has two operands.
  const Visit of_probabilities = VisitOf(out.sizes(), out.strides(), p.strides());
  Cursor probabilities(of_probabilities);
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::lock_guard lock(g.mutex());
    auto next = [&g] {
      uint32_t words[2];
      g.Draw(words);
      return UniformDouble(words);
    };
    Cursor(VisitOf(out.sizes(), out.strides(), trials.strides()))
        .Next(out.numel(), [&](int64_t to, int64_t at, int64_t) {
          double each = 0;
          probabilities.Next(1, [&](int64_t, int64_t from, int64_t) { each = p.data<T>()[from]; });
          out.data<T>()[to] = static_cast<T>(f::Binomial(trials.data<T>()[at], each, next));
        });
  });
}

const Kernel kernel{"binomial", "cpu", Mask(DType::kFloat32, DType::kFloat64), Binomial};

}  // namespace
}  // namespace sy::cpu
