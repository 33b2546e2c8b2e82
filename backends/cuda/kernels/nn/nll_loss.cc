#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {
namespace {

// Dense copies that a kernel reads, and what it is launched with.
struct Targets {
  Tensor target, weight;
  NllArgs args{};

  Targets(Call call, const Tensor& self, const Tensor& given, const Tensor& weights,
          int64_t ignore_index)
      : target(Dense(call, given, DType::kInt64)), weight(Dense(call, weights, self.dtype())) {
    args.count = target.numel();
    args.classes = self.dim() == 1 ? self.size(0) : self.size(1);
    args.inner = self.dim() == 1 || args.count == 0 ? 1 : args.count / self.size(0);
    args.ignored = ignore_index;
    args.target = target.data();
    args.weight = weight.defined() ? weight.data() : nullptr;
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
  }
};

void Forward(Call call, const Tensor& out, const Tensor& total_weight, const Tensor& self,
             const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  Targets t(call, self, target, weight, ignore_index);
  const Tensor in = Dense(call, self, self.dtype()),
               costs = Tensor::Empty({2, t.args.count}, DType::kFloat64, out.device());
  t.args.scores = in.data();
  t.args.costs = costs.data<double>();
  Launch(call, Specialised("nll", "NllArgs", "NllCosts").Element(self.dtype()),
         BlocksFor(t.args.count), t.args);
  if (reduction == kReduceNone && self.dim() != 1) {
    FillElements(call, total_weight, Scalar(0));
    if (out.numel() == 0) return;
    const Tensor losses = costs.AsStrided({t.args.count}, {1}, 0);
    return IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
      CopyElements(call, to.AsStrided(losses.sizes(), losses.strides(), to.storage_offset()),
                   losses);
    });
  }
  const Tensor sums = Tensor::Empty({2}, DType::kFloat64, out.device());
  Engine::Reduce<f::Sum>(call, DType::kFloat64, costs, DimMask(1), sums);
  IntoDense(call, out, self.dtype(), [&](const Tensor& loss) {
    IntoDense(call, total_weight, self.dtype(), [&](const Tensor& total) {
      NllSumArgs args{};
      args.sums = sums.data<double>();
      args.loss = loss.data();
      args.weight = total.data();
      args.mean = reduction == kReduceMean;
      Launch(call, Specialised("nll", "NllSumArgs", "NllSums").Element(self.dtype()), BlocksFor(1),
             args);
    });
  });
}

void Backward(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
              const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index,
              const Tensor& total_weight) {
  if (out.numel() == 0) return;
  Targets t(call, self, target, weight, ignore_index);
  const Tensor grads = Dense(call, grad_output, self.dtype()),
               total = Dense(call, total_weight, self.dtype());
  t.args.grad = grads.data();
  t.args.total = reduction == kReduceMean ? total.data() : nullptr;
  t.args.each = reduction == kReduceNone && self.dim() != 1;
  IntoDense(call, out, self.dtype(), [&](const Tensor& to) {
    FillElements(call, to, Scalar(0));
    t.args.out = to.data();
    Launch(call, Specialised("nll", "NllArgs", "NllBackward").Element(self.dtype()),
           BlocksFor(t.args.count), t.args);
  });
}

const Kernel forward{"nll_loss_forward", "cuda", kFloatingTypes, Forward};
const Kernel backward{"nll_loss_backward", "cuda", kFloatingTypes, Backward};
const Kernel forward2d{"nll_loss2d_forward", "cuda", kFloatingTypes, Forward};
const Kernel backward2d{"nll_loss2d_backward", "cuda", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cuda
