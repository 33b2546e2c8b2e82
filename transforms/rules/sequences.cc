// Rules of the classification of sequences: sequences of all examples are samples of one batch.
#include <numeric>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// Where an operator has its arguments.
struct Sequences {
  size_t log_probs, targets, input_lengths, target_lengths;

  explicit Sequences(const BatchCall& c)
      : log_probs(At(c, "log_probs")),
        targets(At(c, "targets")),
        input_lengths(At(c, "input_lengths")),
        target_lengths(At(c, "target_lengths")) {}

  int64_t samples(const BatchCall& c) const { return c.args[log_probs].tensor().size(1); }

  // Whether arguments are what the operator takes; else its own error says what they are not.
  bool Fit(const BatchCall& c) const {
    if (c.rank(log_probs) != 3) return false;
    const auto n = static_cast<size_t>(samples(c));
    const Tensor& t = c.args[targets].tensor();
    const IntSpan lengths = c.args[target_lengths].list<int64_t>();
    if (c.args[input_lengths].len != n || lengths.size() != n) return false;
    if (t.dim() == 2) return t.size(0) == samples(c);
    return t.dim() == 1 && std::accumulate(lengths.begin(), lengths.end(), int64_t{0}) == t.numel();
  }

  void Set(const BatchCall& c, NewArgs& args) const {
    // [B, t, n, c] → [t, B · n, c]
    args.Set(log_probs, flatten(movedim(c.expanded(log_probs), 0, 1), 1, 2));
    args.Set(targets, flatten(c.expanded(targets), 0, 1));
    args.Set(input_lengths, Repeated(c, input_lengths));
    args.Set(target_lengths, Repeated(c, target_lengths));
  }

 private:
  static size_t At(const BatchCall& c, std::string_view name) {
    return static_cast<size_t>(c.op.schema().Find(name));
  }
  static std::vector<int64_t> Repeated(const BatchCall& c, size_t i) {
    const IntSpan lengths = c.args[i].list<int64_t>();
    std::vector<int64_t> all;
    for (int64_t b = 0; b < c.batch_size(); ++b) {
      all.insert(all.end(), lengths.begin(), lengths.end());
    }
    return all;
  }
};

void CtcLoss(BatchCall& c) {
  const Sequences sequences(c);
  if (!sequences.Fit(c)) return BatchLoop(c);
  NewArgs args(c);
  sequences.Set(c, args);
  Result made[2];
  CallBoxed(c.op, args, made);
  for (size_t k = 0; k < 2; ++k) {
    c.Set(k, unflatten(made[k].tensor(), 0, {c.batch_size(), sequences.samples(c)}));
  }
}
const Batching loss_rule{"_ctc_loss", CtcLoss};

void CtcLossBackward(BatchCall& c) {
  const Sequences sequences(c);
  if (!sequences.Fit(c)) return BatchLoop(c);
  NewArgs args(c);
  sequences.Set(c, args);
  for (const std::string_view name : {"grad", "neg_log_likelihood", "log_alpha"}) {
    const auto i = static_cast<size_t>(c.op.schema().Find(name));
    if (c.rank(i) == 0 || c.args[i].tensor().size(0) != sequences.samples(c)) return BatchLoop(c);
    args.Set(i, flatten(c.expanded(i), 0, 1));
  }
  Result made[1];
  CallBoxed(c.op, args, made);
  c.Set(0, movedim(unflatten(made[0].tensor(), 1, {c.batch_size(), sequences.samples(c)}), 1, 0));
}
const Batching backward_rule{"_ctc_loss_backward", CtcLossBackward};

}  // namespace
}  // namespace sy::transforms
