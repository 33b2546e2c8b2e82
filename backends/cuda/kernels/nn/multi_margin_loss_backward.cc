#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {
namespace {

// args: what is of the loss itself.
void Backward(Call call, const Specialised& function, const Tensor& out, const Tensor& grad_output,
              const Tensor& self, const Tensor& target, int64_t reduction, MarginArgs args) {
  if (out.numel() == 0) return;
  const DType d = self.dtype();
  const Tensor scores = Dense(call, self, d), targets = Dense(call, target, DType::kInt64),
               grads = Dense(call, grad_output, d);
  args.classes = self.dim() == 0 ? 1 : self.size(-1);
  args.rows = self.numel() / args.classes;
  args.scores = scores.data();
  args.target = targets.data();
  args.grad = grads.data();
  args.each = reduction == kReduceNone && self.dim() == 2;
  args.scale = 1 / static_cast<double>(args.classes * (reduction == kReduceMean ? args.rows : 1));
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, function, BlocksFor(to.numel()), args);
  });
}

void MultiMargin(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
                 const Tensor& target, const Scalar& p, const Scalar& margin, const Tensor& weight,
                 int64_t reduction) {
  const Tensor weights = Dense(call, weight, self.dtype());
  MarginArgs args{};
  args.weight = weights.defined() ? weights.data() : nullptr;
  args.margin = margin.To<double>();
  Backward(call,
           Specialised("losses", "MarginArgs", "MultiMarginBackward")
               .Element(self.dtype())
               .Number(p.To<double>() == 2),
           out, grad_output, self, target, reduction, args);
}
void MultilabelMargin(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
                      const Tensor& target, int64_t reduction, const Tensor& is_target) {
  const Tensor marks = Dense(call, is_target, self.dtype());
  MarginArgs args{};
  args.is_target = marks.data();
  Backward(call,
           Specialised("losses", "MarginArgs", "MultilabelMarginBackward").Element(self.dtype()),
           out, grad_output, self, target, reduction, args);
}

const Kernel multi{"multi_margin_loss_backward", "cuda", f::kFloats, MultiMargin};
const Kernel multilabel{"multilabel_margin_loss_backward", "cuda", f::kFloats, MultilabelMargin};

}  // namespace
}  // namespace sy::cuda
