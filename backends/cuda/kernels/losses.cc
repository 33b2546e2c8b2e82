// Losses: of elements, which are computed into a tensor and reduced, and of rows of scores.

#include <algorithm>
#include <limits>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/reduce.h"
#include "backends/cuda/kernels/run.h"
#include "backends/cuda/kernels/walk.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {
namespace {

constexpr Reduction kSum{"Sum"}, kMean{"Sum", "Mean"};

// out = the elements' sum or mean, computed in `dtype`.
void ReduceLosses(Call call, const Tensor& out, DType dtype, const Tensor& elements,
                  int64_t reduction) {
  if (reduction == kReduceMean && elements.numel() == 0)
    return FillElements(call, out, Scalar(std::numeric_limits<double>::quiet_NaN()));
  Reduce(call, reduction == kReduceMean ? kMean : kSum, dtype, elements, kAllDims, &out);
}

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
    RunFormula(call, *Formula("squared_difference"), to, {&self, &target});
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
  Walk w(t.sizes());
  w.Add(t);
  if (w.numel() == 0) return;
  w.Simplify();
  ForEachPart(w, [&](const Walk& part) {
    CheckArgs args{};
    FillSpace(part, {.flat = false, .wide = true, .each = 1, .lies = {HostLie::kStrided}},
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
  OfElements(call, out, self, target, reduction, [&](const Tensor& to) {
    RunFormula(call, *Formula("binary_cross_entropy"), to, {&self, &target});
    if (weight.defined()) RunFormula(call, *Formula("mul"), to, {&to, &weight});
  });
}

const Kernel mse{"mse_loss", "cuda", kFloatingTypes, Squared};
const Kernel smooth_l1{
    "smooth_l1_loss", "cuda", kFloatingTypes, WithParameter, {.data = Formula("smooth_l1")}};
const Kernel huber{"huber_loss", "cuda", kFloatingTypes, WithParameter, {.data = Formula("huber")}};
const Kernel entropy{"binary_cross_entropy", "cuda", kFloatingTypes, BinaryCrossEntropy};

// A loss for each row, in double. args: what is of the loss itself.
void OfRows(Call call, const DeviceFunction& function, std::initializer_list<int> options,
            const Tensor& out, const Tensor& self, const Tensor& target, int64_t reduction,
            MarginArgs args) {
  const Tensor scores = Dense(call, self, self.dtype()),
               targets = Dense(call, target, DType::kInt64);
  args.classes = self.dim() == 0 ? 1 : self.size(-1);
  args.rows = self.numel() / std::max<int64_t>(1, args.classes);
  const Tensor losses = Tensor::Empty({args.rows}, DType::kFloat64, out.device());
  args.scores = scores.data();
  args.target = targets.data();
  args.losses = losses.data<double>();
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  RunDevice(call, function, {self.dtype()}, options, BlocksFor(args.rows), args);
  if (reduction != kReduceNone) return ReduceLosses(call, out, DType::kFloat64, losses, reduction);
  if (out.dim() != 0) return CopyElements(call, out, losses);
  CopyElements(call, out, losses.AsStrided({}, {}, 0));
}

void MultiMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                 const Scalar& p, const Scalar& margin, const Tensor& weight, int64_t reduction) {
  static constexpr DeviceFunction kFunction{"losses", "MarginArgs", "MultiMargin"};
  const Tensor weights = Dense(call, weight, self.dtype());
  MarginArgs args{};
  args.weight = weights.defined() ? weights.data() : nullptr;
  args.margin = margin.To<double>();
  OfRows(call, kFunction, {p.To<double>() == 2}, out, self, target, reduction, args);
}
void MultilabelMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                      int64_t reduction) {
  static constexpr DeviceFunction kFunction{"losses", "MarginArgs", "MultilabelMargin"};
  OfRows(call, kFunction, {}, out, self, target, reduction, {});
}

constexpr DTypeMask kScores = Mask(DType::kFloat32, DType::kFloat64);
const Kernel multi{"multi_margin_loss", "cuda", kScores, MultiMargin};
const Kernel multilabel{"multilabel_margin_loss", "cuda", kScores, MultilabelMargin};

}  // namespace
}  // namespace sy::cuda
