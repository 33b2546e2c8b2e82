// Fine-tuning of the sentence encoder: pairs of sentences that belong together come to lie closer
// than each of them to the others of its batch.
//
//   Encoder encoder({}, /*seed=*/0);
//   FineTuning tuning(encoder, {.steps = 100});
//   for (…) double loss = tuning.Step(left, right);
//
// AdamW, whose decay spares biases and what normalises; the rate rises along a line, then falls
// along a cosine; gradients are clipped to a norm of 1.
// Owns: what the optimiser keeps; the encoder lives longer.
// Threads: one at a time.
// Errors: those of the operators, for ids that are no [b, l] of int64 below the vocabulary's size.
#ifndef EXAMPLES_TRANSFORMER_FINE_TUNING_H_
#define EXAMPLES_TRANSFORMER_FINE_TUNING_H_

#include "examples/transformer/encoder.h"
#include "switchyard/optim/adam.h"
#include "switchyard/optim/schedules.h"

namespace transformer {

struct FineTuningOptions {
  int64_t steps = 100, warm_up = 10;
  double lr = 5e-5, weight_decay = 0.01;
  double sharpness = 10;  // what cosines are multiplied by before they are scores
};

class FineTuning {
 public:
  FineTuning(const Encoder& encoder, const FineTuningOptions& options);
  // left, right: ids [b, l]; rows of the same number belong together. Returns the loss before the
  // step: the cross entropy of finding each left one's right one in the batch.
  double Step(const sy::Tensor& left, const sy::Tensor& right);

 private:
  const Encoder& encoder_;
  FineTuningOptions options_;
  sy::optim::AdamW optimizer_;
  sy::optim::LinearLR warm_;
  sy::optim::CosineAnnealingLR fall_;
  sy::optim::SequentialLR schedule_;
};

}  // namespace transformer

#endif  // EXAMPLES_TRANSFORMER_FINE_TUNING_H_
