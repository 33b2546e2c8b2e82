// Logarithms of probabilities, in double: a target of s classes has 2 s + 1 states, blanks between
// and around its classes. A state is reached from itself, the one before, and, unless that would
// pass over a blank between equal classes, the one before that.
// Source: A. Graves et al., "Connectionist temporal classification", ICML 2006.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cpu {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double LogAdd(double a, double b) {
  const double most = std::max(a, b);
  if (most == kNever) return kNever;
  return most + std::log1p(std::exp(std::min(a, b) - most));
}

// Classes of the states of each sample, and where its numbers lie.
struct Sequences {
  std::vector<std::vector<int64_t>> states;  // the class of each
  int64_t steps, samples, classes, longest;

  Sequences(Call call, const Tensor& log_probs, const Tensor& targets, IntSpan lengths,
            int64_t blank)
      : steps(log_probs.size(0)), samples(log_probs.size(1)), classes(log_probs.size(2)) {
    longest = *std::max_element(lengths.begin(), lengths.end());
    const Tensor dense = Dense(targets, DType::kInt64);
    const int64_t* next = dense.data<int64_t>();
    for (int64_t i = 0; i < samples; ++i) {
      const int64_t* y = targets.dim() == 2 ? next + i * targets.size(1) : next;
      const int64_t n = lengths[static_cast<size_t>(i)];
      std::vector<int64_t> own(static_cast<size_t>(2 * n + 1), blank);
      for (int64_t k = 0; k < n; ++k) {
        RequireClass(call.op(), y[k], classes);
        own[static_cast<size_t>(2 * k + 1)] = y[k];
      }
      states.push_back(std::move(own));
      if (targets.dim() == 1) next += n;
    }
  }
  // log_probs of a sample's step.
  int64_t At(int64_t sample, int64_t step) const { return (step * samples + sample) * classes; }
};

double LossOf(const std::vector<int64_t>& states, const double* last) {
  const size_t n = states.size();
  return -(n == 1 ? last[0] : LogAdd(last[n - 1], last[n - 2]));
}

// alpha: [steps, width], of which every element is written.
double Forward(const Sequences& s, int64_t sample, int64_t steps, const double* lp, double* alpha) {
  const int64_t width = 2 * s.longest + 1;
  const std::vector<int64_t>& states = s.states[static_cast<size_t>(sample)];
  const size_t n = states.size();
  std::fill_n(alpha, s.steps * width, kNever);
  if (steps == 0) return n == 1 ? 0 : -kNever;
  const double* first = lp + s.At(sample, 0);
  alpha[0] = first[states[0]];
  if (n > 1) alpha[1] = first[states[1]];
  for (int64_t t = 1; t < steps; ++t) {
    const double *p = lp + s.At(sample, t), *before = alpha + (t - 1) * width;
    for (size_t k = 0; k < n; ++k) {
      double sum = before[k];
      if (k > 0) sum = LogAdd(sum, before[k - 1]);
      if (k > 1 && states[k] != states[k - 2]) sum = LogAdd(sum, before[k - 2]);
      alpha[t * width + static_cast<int64_t>(k)] = sum + p[states[k]];
    }
  }
  return LossOf(states, alpha + (steps - 1) * width);
}

void CtcLoss(Call call, const Tensor& out, const Tensor& log_alpha, const Tensor& log_probs,
             const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths, int64_t blank,
             bool) {
  const Sequences s(call, log_probs, targets, target_lengths, blank);
  const Tensor lp = Dense(log_probs, DType::kFloat64);
  IntoDense(out, DType::kFloat64, [&](const Tensor& losses) {
    IntoDense(log_alpha, DType::kFloat64, [&](const Tensor& table) {
      const int64_t each = s.steps * (2 * s.longest + 1);
      ParallelFor(s.samples, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          losses.data<double>()[i] = Forward(s, i, input_lengths[static_cast<size_t>(i)],
                                             lp.data<double>(), table.data<double>() + i * each);
        }
      });
    });
  });
}

// What is passed back, of a sample's steps, in `to`, which is zero before; g: of its loss.
void Backward(const Sequences& s, int64_t sample, int64_t steps, const double* lp,
              const double* alpha, double loss, double g, double* to) {
  const int64_t width = 2 * s.longest + 1;
  const std::vector<int64_t>& states = s.states[static_cast<size_t>(sample)];
  const size_t n = states.size();
  std::vector<double> beta(n), after(n);  // of this step and the next
  std::vector<double> together(static_cast<size_t>(s.classes));
  for (int64_t t = steps - 1; t >= 0; --t) {
    const double *p = lp + s.At(sample, t), *a = alpha + t * width;
    std::fill(together.begin(), together.end(), kNever);
    for (size_t k = 0; k < n; ++k) {
      double sum = kNever;
      if (t == steps - 1) {
        if (k + 2 >= n) sum = 0;
      } else {
        sum = after[k];
        if (k + 1 < n) sum = LogAdd(sum, after[k + 1]);
        if (k + 2 < n && states[k] != states[k + 2]) sum = LogAdd(sum, after[k + 2]);
      }
      beta[k] = sum + p[states[k]];
      double& all = together[static_cast<size_t>(states[k])];
      all = LogAdd(all, a[k] + beta[k]);
    }
    double* row = to + s.At(sample, t);
    for (int64_t c = 0; c < s.classes; ++c) {
      row[c] = (std::exp(p[c]) - std::exp(together[static_cast<size_t>(c)] + loss - p[c])) * g;
    }
    std::swap(beta, after);
  }
}

void CtcLossBackward(Call call, const Tensor& out, const Tensor& grad, const Tensor& log_probs,
                     const Tensor& targets, IntSpan input_lengths, IntSpan target_lengths,
                     const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank,
                     bool zero_infinity) {
  const Sequences s(call, log_probs, targets, target_lengths, blank);
  const Tensor lp = Dense(log_probs, DType::kFloat64), alpha = Dense(log_alpha, DType::kFloat64),
               losses = Dense(neg_log_likelihood, DType::kFloat64),
               grads = Dense(grad, DType::kFloat64);
  IntoDense(out, DType::kFloat64, [&](const Tensor& to) {
    if (to.numel() == 0) return;
    FillElements(to, Scalar(0));
    const int64_t each = s.steps * (2 * s.longest + 1);
    ParallelFor(s.samples, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const double loss = losses.data<double>()[i];
        if (zero_infinity && loss == -kNever) continue;
        Backward(s, i, input_lengths[static_cast<size_t>(i)], lp.data<double>(),
                 alpha.data<double>() + i * each, loss, grads.data<double>()[i], to.data<double>());
      }
    });
  });
}

const Kernel forward{"_ctc_loss", "cpu", f::kFloats, CtcLoss};
const Kernel backward{"_ctc_loss_backward", "cpu", f::kFloats, CtcLossBackward};

}  // namespace
}  // namespace sy::cpu
