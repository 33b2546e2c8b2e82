// Steps of optimisers: threads share the elements of all parameters.
#include <algorithm>
#include <cmath>

#include "switchyard/backends/common/kernels/foreach.h"
#include "switchyard/backends/cpu/engine/engine.h"
#include "switchyard/backends/cpu/engine/optimizer.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/transfer.h"

namespace sy::cpu {
namespace {

constexpr int64_t kStepGrain = 8192;  // elements worth a thread

template <class Op>
StepLoop LoopOf(DType d) {
  const StepLoops& loops = StepsOf(d);
  return std::is_same_v<Op, f::SgdStep>    ? loops.sgd
         : std::is_same_v<Op, f::AdamStep> ? loops.adam
                                           : loops.adagrad;
}

// A parameter's part of all elements.
struct Part {
  StepLoop loop;
  f::StepNumbers numbers;
  void* data[f::kStepTensors];
  int64_t item, first, n;

  // Elements begin … end - 1.
  void Run(int64_t begin, int64_t end, const double* scale) const {
    void* at[f::kStepTensors];
    for (int k = 0; k < f::kStepTensors; ++k) {
      at[k] = data[k] == nullptr ? nullptr : static_cast<char*>(data[k]) + begin * item;
    }
    loop(at, static_cast<size_t>(end - begin), scale, numbers);
  }
};

struct Steps {
  static constexpr char kDevice[] = "cpu";
  using Engine = cpu::Engine;

  template <class Op>
  static void Run(const Call&, StepCall& step) {
    if (step.found_inf.defined() && *step.found_inf.data<float>() == 1) return;
    if (step.lr.defined()) step.numbers.lr = ReadNumber(step.lr).To<double>();
    const double scale = step.grad_scale.defined() ? *step.grad_scale.data<float>() : 1;
    const double* const divisor = step.grad_scale.defined() ? &scale : nullptr;
    std::vector<Part> parts(step.items.size());
    int64_t total = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      const StepItem& item = step.items[i];
      Part& part = parts[i];
      part.loop = LoopOf<Op>(item.dtype());
      part.numbers = step.numbers;
      if (item.step.defined()) {
        const double t = ReadNumber(item.step).To<double>();
        Op::Prepare(part.numbers, t, std::pow(step.numbers.beta1, t),
                    std::pow(step.numbers.beta2, t));
      }
      for (int k = 0; k < f::kStepTensors; ++k) part.data[k] = item.data(k);
      part.item = static_cast<int64_t>(ItemSize(item.dtype()));
      part.first = total;
      part.n = item.numel();
      total += part.n;
    }
    ParallelFor(total, kStepGrain, [&](int64_t begin, int64_t end) {
      auto part = std::ranges::upper_bound(parts, begin, {}, &Part::first) - 1;
      for (; part != parts.end() && part->first < end; ++part) {
        part->Run(std::max(begin - part->first, int64_t{0}), std::min(end - part->first, part->n),
                  divisor);
      }
    });
  }
};

const ForeachKernels<Steps> kernels;

}  // namespace
}  // namespace sy::cpu
