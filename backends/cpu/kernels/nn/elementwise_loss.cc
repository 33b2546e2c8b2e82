// Elements are computed into a tensor, as large as the operands, and reduced.
#include <algorithm>
#include <limits>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/backends/cpu/kernels/dense.h"
#include "switchyard/backends/cpu/kernels/divide_by_count.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/loss.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet sum;
}  // namespace loops
namespace {

// f(elements) computes them.
template <class F>
void Reduced(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
             int64_t reduction, F f) {
  if (reduction == kReduceNone) return f(out);
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(self.sizes(), target.sizes(), sizes, call.op());
  const Tensor elements = Tensor::Empty({sizes, static_cast<size_t>(rank)}, call.dtype());
  if (elements.numel() != 0) f(elements);
  ReduceFinish finish;
  if (reduction == kReduceMean) finish.run = DivideByCount;
  if (reduction == kReduceMean && elements.numel() == 0)
    return FillElements(out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  Reduce(loops::sum, call.dtype(), elements, kAllDims, {{&out, 0}}, finish);
}

void Squared(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
             int64_t reduction) {
  Reduced(call, out, self, target, reduction, [&](const Tensor& to) {
    RunLoops(kLoops<f::SquaredDifference>, call.dtype(), to, self, target);
  });
}
template <class Formula>
void LossWith(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
              int64_t reduction, double parameter) {
  Reduced(call, out, self, target, reduction, [&](const Tensor& to) {
    RunLoopsWith(kLoops<Formula>, call.dtype(), to, {&self, &target}, {Scalar(parameter)});
  });
}

void RequireProbabilities(Call call, const Tensor& t) {
  const Tensor x = Dense(t, WideOf(t.dtype()));
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *p = x.data<T>(), *end = p + x.numel();
    const T* bad = std::find_if(p, end, [](T v) { return !(v >= 0 && v <= 1); });
    if (bad != end) FailProbability(call.op(), static_cast<double>(*bad));
  });
}

void BinaryCrossEntropy(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                        const Tensor& weight, int64_t reduction) {
  RequireProbabilities(call, self);
  RequireProbabilities(call, target);
  Reduced(call, out, self, target, reduction, [&](const Tensor& to) {
    RunLoops(kLoops<f::BinaryCrossEntropy>, call.dtype(), to, self, target);
    if (weight.defined()) RunLoops(kLoops<f::Mul>, call.dtype(), to, to, weight);
  });
}

const Kernel mse{"mse_loss", "cpu", kFloatingTypes, Squared};
const Kernel smooth_l1{"smooth_l1_loss", "cpu", kFloatingTypes, LossWith<f::SmoothL1>};
const Kernel huber{"huber_loss", "cpu", kFloatingTypes, LossWith<f::Huber>};
const Kernel entropy{"binary_cross_entropy", "cpu", kFloatingTypes, BinaryCrossEntropy};

}  // namespace
}  // namespace sy::cpu
