// Sums are those of double, rounded once.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy::cpu {
namespace {

constexpr int64_t kChunk = 1 << 13;  // targets whose costs are summed by one thread

// Scores of [samples, classes, inner], and a class for each sample and inner position.
struct Targets {
  Tensor given, weights;
  const int64_t* y;
  int64_t classes, inner, count, ignored;

  Targets(Call call, const Tensor& self, const Tensor& target, const Tensor& weight,
          int64_t ignore_index)
      : given(Dense(target, DType::kInt64)),
        weights(Dense(weight, DType::kFloat64)),
        y(given.data<int64_t>()),
        classes(self.dim() == 1 ? self.size(0) : self.size(1)),
        count(given.numel()),
        ignored(ignore_index) {
    inner = self.dim() == 1 || count == 0 ? 1 : count / self.size(0);
    for (int64_t i = 0; i < count; ++i) {
      if (y[i] != ignored) RequireClass(call.op(), y[i], classes);
    }
  }
  // Where the score of target i lies.
  int64_t At(int64_t i) const { return (i / inner * classes + y[i]) * inner + i % inner; }
  double Weight(int64_t i) const { return weights.defined() ? weights.data<double>()[y[i]] : 1; }
};

struct Costs {
  double loss = 0, weight = 0;
};

template <class T>
using WideOf = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T>
void EachCost(const Targets& t, const T* x, T* out) {
  ParallelFor(t.count, kChunk, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      out[i] = t.y[i] == t.ignored
                   ? T(0.f)
                   : T(-static_cast<WideOf<T>>(x[t.At(i)]) * static_cast<WideOf<T>>(t.Weight(i)));
    }
  });
}
template <class T>
Costs AllCosts(const Targets& t, const T* x) {
  std::vector<Costs> parts(static_cast<size_t>((t.count + kChunk - 1) / kChunk));
  ParallelFor(static_cast<int64_t>(parts.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      Costs sum;
      for (int64_t i = p * kChunk; i < std::min(t.count, (p + 1) * kChunk); ++i) {
        if (t.y[i] == t.ignored) continue;
        const double w = t.Weight(i);
        sum.loss -= static_cast<double>(static_cast<WideOf<T>>(x[t.At(i)])) * w;
        sum.weight += w;
      }
      parts[static_cast<size_t>(p)] = sum;
    }
  });
  Costs all;
  for (const Costs& p : parts) {
    all.loss += p.loss;
    all.weight += p.weight;
  }
  return all;
}

void Forward(Call call, const Tensor& out, const Tensor& total_weight, const Tensor& self,
             const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index) {
  const Targets t(call, self, target, weight, ignore_index);
  const Tensor in = Contiguous(self);
  VisitDType<kFloatingTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* x = in.data<T>();
    if (reduction == kReduceNone && self.dim() != 1) {
      IntoDense(out, self.dtype(), [&](const Tensor& to) { EachCost<T>(t, x, to.data<T>()); });
      return FillElements(total_weight, Scalar(0));
    }
    const Costs all = AllCosts<T>(t, x);
    FillElements(out, Scalar(reduction == kReduceMean ? all.loss / all.weight : all.loss));
    FillElements(total_weight, Scalar(all.weight));
  });
}

void Backward(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& self,
              const Tensor& target, const Tensor& weight, int64_t reduction, int64_t ignore_index,
              const Tensor& total_weight) {
  const Targets t(call, self, target, weight, ignore_index);
  const Tensor grads = Dense(grad_output, DType::kFloat64),
               total = Dense(total_weight, DType::kFloat64);
  const double* g = grads.data<double>();
  const bool each = reduction == kReduceNone && self.dim() != 1;
  const double all = each ? 0 : reduction == kReduceMean ? *g / *total.data<double>() : *g;
  IntoDense(out, self.dtype(), [&](const Tensor& to) {
    if (to.numel() == 0) return;
    FillElements(to, Scalar(0));
    VisitDType<kFloatingTypes>(self.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      T* dx = to.data<T>();
      ParallelFor(t.count, kChunk, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          if (t.y[i] == t.ignored) continue;
          dx[t.At(i)] = T(static_cast<WideOf<T>>(-t.Weight(i) * (each ? g[i] : all)));
        }
      });
    });
  });
}

const Kernel forward{"nll_loss_forward", "cpu", kFloatingTypes, Forward};
const Kernel backward{"nll_loss_backward", "cpu", kFloatingTypes, Backward};
const Kernel forward2d{"nll_loss2d_forward", "cpu", kFloatingTypes, Forward};
const Kernel backward2d{"nll_loss2d_backward", "cpu", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cpu
