// Steps of optimisers: threads share the elements of all parameters.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

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

// A tensor's place among the elements of all.
struct Part {
  int64_t first, n;
};
// Calls run(i, begin, end) for ranges of the elements of each item, which threads share.
template <class F>
void ForParts(const std::vector<StepItem>& items, F run) {
  std::vector<Part> parts;
  parts.reserve(items.size());
  int64_t total = 0;
  for (const StepItem& item : items) {
    parts.push_back({total, item.numel()});
    total += item.numel();
  }
  ParallelFor(total, kStepGrain, [&](int64_t begin, int64_t end) {
    auto part = std::ranges::upper_bound(parts, begin, {}, &Part::first) - 1;
    for (; part != parts.end() && part->first < end; ++part) {
      run(static_cast<size_t>(part - parts.begin()), std::max(begin - part->first, int64_t{0}),
          std::min(end - part->first, part->n));
    }
  });
}
void* At(const StepItem& item, int k, int64_t i) {
  char* const data = static_cast<char*>(item.data(k));
  return data == nullptr ? nullptr : data + i * static_cast<int64_t>(ItemSize(item.dtype()));
}

struct Steps {
  static constexpr char kDevice[] = "cpu";
  using Engine = cpu::Engine;

  template <class Op>
  static void Run(const Call&, StepCall& step) {
    if (step.found_inf.defined() && *step.found_inf.data<float>() == 1) return;
    if (step.lr.defined()) step.numbers.lr = ReadNumber(step.lr).To<double>();
    const double scale = step.grad_scale.defined() ? *step.grad_scale.data<float>() : 1;
    std::vector<f::StepNumbers> numbers(step.items.size(), step.numbers);
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (!step.items[i].step.defined()) continue;
      const double t = ReadNumber(step.items[i].step).To<double>();
      Op::Prepare(numbers[i], t, std::pow(step.numbers.beta1, t), std::pow(step.numbers.beta2, t));
    }
    ForParts(step.items, [&](size_t i, int64_t begin, int64_t end) {
      const StepItem& item = step.items[i];
      void* data[f::kStepTensors];
      for (int k = 0; k < f::kStepTensors; ++k) data[k] = At(item, k, begin);
      LoopOf<Op>(item.dtype())(data, static_cast<size_t>(end - begin),
                               step.grad_scale.defined() ? &scale : nullptr, numbers[i]);
    });
  }

  static void Unscale(const Call&, const std::vector<StepItem>& items, const Tensor& found_inf,
                      const Tensor& inv_scale) {
    const double scale = *inv_scale.data<float>();
    std::atomic<bool> found{false};
    ForParts(items, [&](size_t i, int64_t begin, int64_t end) {
      const StepItem& item = items[i];
      const auto n = static_cast<size_t>(end - begin);
      if (StepsOf(item.dtype()).unscale(At(item, 0, begin), n, scale))
        found.store(true, std::memory_order_relaxed);
    });
    if (found) *found_inf.data<float>() = 1;
  }
};

const ForeachKernels<Steps> kernels;

}  // namespace
}  // namespace sy::cpu
