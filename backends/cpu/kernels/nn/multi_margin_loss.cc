// Sums are those of double, rounded once.
#include <algorithm>
#include <limits>
#include <vector>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cpu {
namespace {

// loss(row of scores, row) for each row.
template <class F>
void Reduced(const Tensor& out, const Tensor& self, int64_t classes, int64_t reduction, F loss) {
  const Tensor scores = Dense(self, DType::kFloat64);
  const double* x = scores.data<double>();
  const int64_t rows = self.numel() / classes;
  std::vector<double> losses;
  for (int64_t i = 0; i < rows; ++i) losses.push_back(loss(x + i * classes, i));
  if (reduction != kReduceNone) {
    double sum = 0;
    for (double l : losses) sum += l;
    losses.assign(1, reduction == kReduceMean ? sum / static_cast<double>(rows) : sum);
  }
  IntoDense(out, DType::kFloat64,
            [&](const Tensor& to) { std::copy(losses.begin(), losses.end(), to.data<double>()); });
}

void MultiMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                 const Scalar& p, const Scalar& margin, const Tensor& weight, int64_t reduction) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor targets = Dense(target, DType::kInt64), weights = Dense(weight, DType::kFloat64);
  const int64_t* y = targets.data<int64_t>();
  const double* w = weights.defined() ? weights.data<double>() : nullptr;
  for (int64_t i = 0; i < targets.numel(); ++i) RequireClass(call.op(), y[i], classes);
  const bool squared = p.To<double>() == 2;
  const double space = margin.To<double>();
  Reduced(out, self, classes, reduction, [&](const double* x, int64_t row) {
    double sum = 0;
    for (int64_t i = 0; i < classes; ++i) {
      const double z = space - x[y[row]] + x[i];
      if (i == y[row] || !(z > 0)) continue;
      sum += (squared ? z * z : z) * (w == nullptr ? 1 : w[y[row]]);
    }
    return sum / static_cast<double>(classes);
  });
}

// marks: 1 for each class that is a target; undefined: not asked for.
void Multilabel(Call call, const Tensor& out, const Tensor& marks, const Tensor& self,
                const Tensor& target, int64_t reduction) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor targets = Dense(target, DType::kInt64);
  const int64_t* all = targets.data<int64_t>();
  for (int64_t i = 0; i < targets.numel(); ++i) {
    if (all[i] != -1) RequireClass(call.op(), all[i], classes);
  }
  std::vector<double> is_target(static_cast<size_t>(targets.numel()));
  Reduced(out, self, classes, reduction, [&](const double* x, int64_t row) {
    const int64_t *y = all + row * classes, *end = std::find(y, y + classes, -1);
    double* is = is_target.data() + row * classes;
    for (const int64_t* t = y; t != end; ++t) is[*t] = 1;
    double sum = 0;
    for (const int64_t* t = y; t != end; ++t) {
      for (int64_t i = 0; i < classes; ++i) {
        if (is[i] == 0) sum += std::max(0.0, 1 - x[*t] + x[i]);
      }
    }
    return sum / static_cast<double>(classes);
  });
  if (!marks.defined() || marks.numel() == 0) return;
  IntoDense(marks, DType::kFloat64, [&](const Tensor& to) {
    std::copy(is_target.begin(), is_target.end(), to.data<double>());
  });
}
void MultilabelMargin(Call call, const Tensor& out, const Tensor& self, const Tensor& target,
                      int64_t reduction) {
  Multilabel(call, out, Tensor(), self, target, reduction);
}

const Kernel multi{"multi_margin_loss", "cpu", f::kFloats, MultiMargin};
const Kernel multilabel{"multilabel_margin_loss", "cpu", f::kFloats, MultilabelMargin};
const Kernel multilabel_forward{"multilabel_margin_loss_forward", "cpu", f::kFloats, Multilabel};

}  // namespace
}  // namespace sy::cpu
