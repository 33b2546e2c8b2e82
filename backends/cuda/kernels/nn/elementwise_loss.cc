// Losses of elements, which are computed into a tensor and reduced.

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/run.h"
#include "backends/cuda/kernels/nn/reduce_losses.h"
#include "backends/cuda/plan/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/loss.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {
namespace {

// f(elements) computes them.
template <class F>
void OfElements(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                int64_t reduction, F f) {
  if (reduction == kReduceNone) return f(out);
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(self.sizes(), target.sizes(), sizes, call.op());
  const Tensor elements =
      Tensor::Empty({sizes, static_cast<size_t>(rank)}, call.dtype(), out.device());
  if (elements.numel() != 0) f(elements);
  ReduceLosses(call, out, call.dtype(), elements, reduction);
}

void Squared(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
             int64_t reduction) {
  OfElements(call, out, self, target, reduction, [&](const Tensor& to) {
    RunFormula(call, kFormula<f::SquaredDifference>, to, {&self, &target});
  });
}
void WithParameter(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                   int64_t reduction, double parameter) {
  OfElements(call, out, self, target, reduction, [&](const Tensor& to) {
    RunFormula(call, *static_cast<const FormulaDef*>(call.kernel->data), to, {&self, &target},
               {Scalar(parameter)});
  });
}

// What is not 0 to 1 is reported at the next synchronising call.
void RequireProbabilities(Call call, const Tensor& t) {
  IndexSpace w(t.sizes());
  w.Add(t);
  if (w.numel() == 0) return;
  w.Coalesce();
  ForEachPart(w, [&](const IndexSpace& part) {
    CheckArgs args{};
    FillSpace(part,
              {.flat = false, .wide = true, .each = 1, .stride_kinds = {HostStrideKind::kStrided}},
              args.space);
    args.data = part.operands[0].data;
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    static constexpr DeviceFunction kCheck{"losses", "CheckArgs", "Probabilities"};
    RunDevice(call, kCheck, {t.dtype()}, {}, BlocksFor(args.space.n), args);
  });
}

void BinaryCrossEntropy(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                        const Tensor& weight, int64_t reduction) {
  RequireProbabilities(call, self);
  RequireProbabilities(call, target);
  OfElements(call, out, self, target, reduction, [&](const Tensor& to) {
    RunFormula(call, kFormula<f::BinaryCrossEntropy>, to, {&self, &target});
    if (weight.defined()) RunFormula(call, kFormula<f::Mul>, to, {&to, &weight});
  });
}

const Kernel mse{"mse_loss", "cuda", kFloatingTypes, Squared};
const Kernel smooth_l1{
    "smooth_l1_loss", "cuda", kFloatingTypes, WithParameter, {.data = &kFormula<f::SmoothL1>}};
const Kernel huber{
    "huber_loss", "cuda", kFloatingTypes, WithParameter, {.data = &kFormula<f::Huber>}};
const Kernel entropy{"binary_cross_entropy", "cuda", kFloatingTypes, BinaryCrossEntropy};

}  // namespace
}  // namespace sy::cuda
