// Rules of margin losses: rows of scores of all examples are rows of one batch. What a row loses is
// asked for each, and reduced over an example here.
#include "switchyard/dispatcher/call.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

constexpr int64_t kNone = 0, kMean = 1;  // reductions; else the sum

// Where an operator has its arguments. A target is one class of a row, or a row of them.
struct Positions {
  int self, target, weight, reduction;
  bool one_class;

  explicit Positions(const BatchCall& c)
      : self(c.op.schema().Find("self")),
        target(c.op.schema().Find("target")),
        weight(c.op.schema().Find("weight")),
        reduction(c.op.schema().Find("reduction")),
        one_class(weight >= 0) {}
};

class MarginCall {
 public:
  explicit MarginCall(BatchCall& c)
      : c_(c),
        at_(c),
        args_(c),
        self_(c.args[At(at_.self)].tensor()),
        batch_(c.batch_size()),
        classes_(self_.dim() == 0 ? 1 : self_.size(-1)),
        rows_(classes_ == 0 ? 0 : self_.numel() / classes_) {
    if (at_.one_class) weight_ = c.args[At(at_.weight)].tensor();
  }

  // Whether arguments are what the operator takes; else its own error says what they are not.
  bool Fits() const {
    const Tensor& target = c_.args[At(at_.target)].tensor();
    if (self_.dim() > 2 || classes_ == 0) return false;
    if (weight_.defined() && (weight_.dim() != 1 || weight_.size(0) != classes_)) return false;
    return target.numel() == (at_.one_class ? rows_ : self_.numel()) && target.dim() <= 2;
  }

  void Loss() {
    Prepare();
    Result made[2];
    CallBoxed(c_.op, args_, {made, c_.op.num_results});
    Tensor losses = reshape(made[0].tensor(), {batch_, rows_});
    if (const Tensor w = Weights(); w.defined()) losses = mul(losses, w);
    if (reduction() == kNone) {
      c_.Set(0, self_.dim() == 2 ? losses : select(losses, 1, 0));
    } else {
      c_.Set(0, reduction() == kMean ? mean(losses, 1) : sum(losses, 1));
    }
    if (c_.op.num_results == 1) return;
    c_.Set(1, reshape(made[1].tensor(), Joined(batch_, c_.args[At(at_.target)].tensor().sizes())));
  }

  void Backward() {
    Prepare();
    if (!at_.one_class) args_.Set(4, AsRows(c_.expanded(4)));  // is_target
    const int64_t each = reduction() == kNone ? rows_ : 1;
    if (c_.args[0].tensor().numel() != each) return BatchLoop(c_);
    Tensor g = expand(reshape(c_.expanded(0), {batch_, each}), {batch_, rows_});
    if (reduction() == kMean) g = div(g, static_cast<double>(rows_));
    if (const Tensor w = Weights(); w.defined()) g = mul(g, w);
    args_.Set(0, reshape(g, {batch_ * rows_}));
    Result made[1];
    CallBoxed(c_.op, args_, made);
    c_.Set(0, reshape(made[0].tensor(), Joined(batch_, self_.sizes())));
  }

 private:
  static size_t At(int position) { return static_cast<size_t>(position); }
  int64_t reduction() const { return c_.args[At(at_.reduction)].i; }
  Tensor AsRows(const Tensor& value) const { return reshape(value, {batch_ * rows_, classes_}); }

  void Prepare() {
    args_.Set(At(at_.self), AsRows(c_.expanded(At(at_.self))));
    const Tensor target = c_.expanded(At(at_.target));
    args_.Set(At(at_.target), at_.one_class ? reshape(target, {batch_ * rows_}) : AsRows(target));
    if (at_.one_class) args_[At(at_.weight)] = Value();
    args_.Set(At(at_.reduction), kNone);
  }
  // Of each row, [B, rows]; undefined: all are 1.
  Tensor Weights() const {
    if (!weight_.defined()) return {};
    return gather(c_.expanded(At(at_.weight)), 1,
                  reshape(c_.expanded(At(at_.target)), {batch_, rows_}));
  }

  BatchCall& c_;
  const Positions at_;
  NewArgs args_;
  const Tensor& self_;
  Tensor weight_;
  const int64_t batch_, classes_, rows_;
};

void MarginLoss(BatchCall& c) {
  MarginCall call(c);
  if (!call.Fits()) return BatchLoop(c);
  call.Loss();
}
void MarginBackward(BatchCall& c) {
  MarginCall call(c);
  if (!call.Fits()) return BatchLoop(c);
  call.Backward();
}
const Batching loss_rule{
    {"multi_margin_loss", "multilabel_margin_loss", "multilabel_margin_loss_forward"}, MarginLoss};
const Batching backward_rule{{"multi_margin_loss_backward", "multilabel_margin_loss_backward"},
                             MarginBackward};

}  // namespace
}  // namespace sy::transforms
