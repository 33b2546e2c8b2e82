// Computed in double, rounded once.
#include <algorithm>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cpu {
namespace {

// row(scores, row, what an element gets, out) for each row; out is zero before.
template <class F>
void EachRow(const Tensor& out, const Tensor& grad_output, const Tensor& self, int64_t classes,
             int64_t reduction, F row) {
  const Tensor scores = Dense(self, DType::kFloat64), grads = Dense(grad_output, DType::kFloat64);
  const double *x = scores.data<double>(), *g = grads.data<double>();
  const int64_t rows = self.numel() / classes;
  const bool each = reduction == kReduceNone && self.dim() == 2;
  const double scale =
      1 / static_cast<double>(classes * (reduction == kReduceMean ? rows : int64_t{1}));
  IntoDense(out, DType::kFloat64, [&](const Tensor& to) {
    double* dx = to.data<double>();
    ParallelFor(rows, std::max<int64_t>(1, 4096 / classes), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        std::fill_n(dx + i * classes, classes, 0.0);
        row(x + i * classes, i, scale * g[each ? i : 0], dx + i * classes);
      }
    });
  });
}

void MultiMargin(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
                 const Tensor& target, const Scalar& p, const Scalar& margin, const Tensor& weight,
                 int64_t reduction) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor targets = Dense(target, DType::kInt64), weights = Dense(weight, DType::kFloat64);
  const int64_t* y = targets.data<int64_t>();
  const double* w = weights.defined() ? weights.data<double>() : nullptr;
  for (int64_t i = 0; i < targets.numel(); ++i) RequireClass(call.op(), y[i], classes);
  if (out.numel() == 0) return;
  const bool squared = p.To<double>() == 2;
  const double space = margin.To<double>();
  EachRow(out, grad_output, self, classes, reduction,
          [&](const double* x, int64_t row, double g, double* dx) {
            const int64_t t = y[row];
            if (w != nullptr) g *= w[t];
            for (int64_t i = 0; i < classes; ++i) {
              const double z = space - x[t] + x[i];
              if (i == t || !(z > 0)) continue;
              dx[i] = squared ? 2 * g * z : g;
              dx[t] -= dx[i];
            }
          });
}

void MultilabelMargin(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
                      const Tensor& target, int64_t reduction, const Tensor& is_target) {
  const int64_t classes = self.dim() == 0 ? 1 : self.size(-1);
  const Tensor targets = Dense(target, DType::kInt64), marks = Dense(is_target, DType::kFloat64);
  const int64_t* all = targets.data<int64_t>();
  for (int64_t i = 0; i < targets.numel(); ++i) {
    if (all[i] != -1) RequireClass(call.op(), all[i], classes);
  }
  if (out.numel() == 0) return;
  EachRow(out, grad_output, self, classes, reduction,
          [&](const double* x, int64_t row, double g, double* dx) {
            const double* is = marks.data<double>() + row * classes;
            const int64_t* y = all + row * classes;
            for (int64_t k = 0; k < classes && y[k] != -1; ++k) {
              for (int64_t i = 0; i < classes; ++i) {
                if (is[i] != 0 || !(1 - x[y[k]] + x[i] > 0)) continue;
                dx[y[k]] -= g;
                dx[i] += g;
              }
            }
          });
}

const Kernel multi{"multi_margin_loss_backward", "cpu", f::kFloats, MultiMargin};
const Kernel multilabel{"multilabel_margin_loss_backward", "cpu", f::kFloats, MultilabelMargin};

}  // namespace
}  // namespace sy::cpu
