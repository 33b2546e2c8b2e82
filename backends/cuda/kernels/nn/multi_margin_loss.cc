// Losses of rows of scores.

#include <algorithm>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/backends/common/kernels/nn.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cuda {
namespace {

// A loss for each row, in double. args: what is of the loss itself.
void OfRows(Call call, const Specialised& function, const Tensor& out, const Tensor& self,
            const Tensor& target, int64_t reduction, MarginArgs args) {
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
  Launch(call, function, BlocksFor(args.rows), args);
  if (reduction != kReduceNone)
    return ReduceLosses<Engine>(call, out, DType::kFloat64, losses, reduction);
  if (out.dim() != 0) return CopyElements(call, out, losses);
  CopyElements(call, out, losses.AsStrided({}, {}, 0));
}

void MultiMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                 const Scalar& p, const Scalar& margin, const Tensor& weight, int64_t reduction) {
  const Tensor weights = Dense(call, weight, self.dtype());
  MarginArgs args{};
  args.weight = weights.defined() ? weights.data() : nullptr;
  args.margin = margin.To<double>();
  OfRows(call,
         Specialised("losses", "MarginArgs", "MultiMargin")
             .Element(self.dtype())
             .Number(p.To<double>() == 2),
         out, self, target, reduction, args);
}
void MultilabelMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                      int64_t reduction) {
  OfRows(call, Specialised("losses", "MarginArgs", "MultilabelMargin").Element(self.dtype()), out,
         self, target, reduction, {});
}
void MultilabelForward(Call call, const Tensor& out, const Tensor& is_target, const Tensor& self,
                       const Tensor& target, int64_t reduction) {
  MultilabelMargin(call, out, self, target, reduction);
  if (is_target.numel() == 0) return;
  const Tensor targets = Dense(call, target, DType::kInt64);
  MarginArgs args{};
  args.classes = self.dim() == 0 ? 1 : self.size(-1);
  args.rows = self.numel() / args.classes;
  args.target = targets.data();
  IntoDense(call, is_target, self.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, Specialised("losses", "MarginArgs", "MultilabelTargets").Element(self.dtype()),
           BlocksFor(to.numel()), args);
  });
}

const Kernel multi{"multi_margin_loss", "cuda", kFloats, MultiMargin};
const Kernel multilabel{"multilabel_margin_loss", "cuda", kFloats, MultilabelMargin};
const Kernel multilabel_forward{"multilabel_margin_loss_forward", "cuda", kFloats,
                                MultilabelForward};

}  // namespace
}  // namespace sy::cuda
