#include <algorithm>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/runtime/op_names.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cuda {
namespace {

// What both kernels read, and what they are launched with.
struct Sequences {
  Tensor log_probs, targets, lengths;
  CtcArgs args{};

  Sequences(Call call, const Tensor& given, const Tensor& classes, IntSpan inputs, IntSpan outputs,
            int64_t blank)
      : log_probs(Dense(call, given, DType::kFloat64)),
        targets(Dense(call, classes, DType::kInt64)) {
    args.steps = given.size(0);
    args.samples = given.size(1);
    args.classes = given.size(2);
    args.width = 2 * *std::max_element(outputs.begin(), outputs.end()) + 1;
    args.blank = blank;
    const Tensor host = Tensor::Empty({3, args.samples}, DType::kInt64);
    int64_t* const to = host.data<int64_t>();
    std::copy(inputs.begin(), inputs.end(), to);
    std::copy(outputs.begin(), outputs.end(), to + args.samples);
    int64_t* const begins = to + 2 * args.samples;
    int64_t at = 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      begins[i] = at;
      at += classes.dim() == 2 ? classes.size(1) : outputs[i];
    }
    lengths = FromHost(host, given.device());
    args.log_probs = log_probs.data();
    args.targets = targets.data();
    args.lengths = lengths.data();
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
  }
  void Run(Call call, const char* function) {
    constexpr int kThreads = 256;
    Launch(call, Specialised("ctc", "CtcArgs", function).Element(DType::kFloat64),
           {args.samples, kThreads}, args);
  }
};

void CtcLoss(Call call, const Tensor& out, const Tensor& log_alpha, const Tensor& log_probs,
             const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths, int64_t blank,
             bool) {
  Sequences s(call, log_probs, targets, input_lengths, target_lengths, blank);
  IntoDense(call, out, DType::kFloat64, [&](const Tensor& losses) {
    IntoDense(call, log_alpha, DType::kFloat64, [&](const Tensor& alpha) {
      s.args.losses = static_cast<double*>(losses.data());
      s.args.alpha = static_cast<double*>(alpha.data());
      s.Run(call, "CtcForward");
    });
  });
}

void CtcLossBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& log_probs,
                     const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths,
                     const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                     bool zero_infinity) {
  if (out.numel() == 0) return;
  Sequences s(call, log_probs, targets, input_lengths, target_lengths, blank);
  const Tensor grads = Dense(call, grad, DType::kFloat64),
               losses = Dense(call, neg_log_likelihood, DType::kFloat64),
               alpha = Dense(call, log_alpha, DType::kFloat64),
               beta =
                   Tensor::Empty({s.args.samples, 2, s.args.width}, DType::kFloat64, out.device());
  s.args.grad = static_cast<const double*>(grads.data());
  s.args.losses = static_cast<double*>(losses.data());
  s.args.alpha = static_cast<double*>(alpha.data());
  s.args.beta = static_cast<double*>(beta.data());
  s.args.zero_infinity = zero_infinity;
  IntoDense(call, out, DType::kFloat64, [&](const Tensor& to) {
    FillElements(call, to, Scalar(0));
    s.args.out = static_cast<double*>(to.data());
    s.Run(call, "CtcBackward");
  });
}

const Kernel forward{"_ctc_loss", "cuda", f::kFloats, CtcLoss};
const Kernel backward{"_ctc_loss_backward", "cuda", f::kFloats, CtcLossBackward};

}  // namespace
}  // namespace sy::cuda
