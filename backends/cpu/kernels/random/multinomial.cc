// With replacement by search in the cumulated probabilities; else, and for a single sample, the
// positions of the largest p / q, q exponential. The order in which words are drawn is ATen's.
// Source: multinomial_out, ATen/native/Distributions.cpp; ATen/native/cpu/MultinomialKernel.cpp.
#include <cmath>
#include <mutex>
#include <numeric>
#include <vector>

#include "backends/cpu/random/fill.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

struct Rows {
  int64_t count, categories, row_stride, stride;  // strides in elements
};

Rows RowsOf(const Tensor& self) {
  const bool matrix = self.dim() == 2;
  return {matrix ? self.sizes()[0] : 1, self.size(-1), matrix ? self.strides()[0] : 0,
          self.strides()[self.dim() - 1]};
}

template <class T>
void RequireDistributions(Call call, const T* p, const Rows& rows) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  for (int64_t r = 0; r < rows.count; ++r) {
    Sum sum = 0;
    for (int64_t i = 0; i < rows.categories; ++i) {
      const double value = static_cast<double>(p[r * rows.row_stride + i * rows.stride]);
      if (!(value >= 0 && std::isfinite(value))) FailWeight(call.op(), value, i, r);
      sum += static_cast<Sum>(value);
    }
    if (!(sum > 0)) FailNoWeight(call.op(), r);
  }
}

template <class T>
void WithReplacement(Generator& g, const T* p, const Rows& rows, int64_t samples, int64_t* out) {
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  std::vector<Sum> cumulated(static_cast<size_t>(rows.categories));
  for (int64_t r = 0; r < rows.count; ++r) {
    Sum sum = 0;
    for (int64_t i = 0; i < rows.categories; ++i) {
      sum += static_cast<Sum>(p[r * rows.row_stride + i * rows.stride]);
      cumulated[i] = sum;
    }
    for (Sum& c : cumulated) c /= sum;
    cumulated.back() = 1;
    for (int64_t s = 0; s < samples; ++s) {
      uint32_t words[2];
      g.Draw(words);
      // The comparison is in double.
      const auto at = std::lower_bound(cumulated.begin(), cumulated.end(), UniformDouble(words));
      *out++ = at - cumulated.begin();
    }
  }
}

// The positions of the k largest of v, largest first: ATen's topk, which also decides between
// equals.
template <class V>
void Largest(const std::vector<V>& v, int64_t k, int64_t* out) {
  using Entry = std::pair<V, int64_t>;
  std::vector<Entry> order(v.size());
  for (size_t i = 0; i < v.size(); ++i) order[i] = {v[i], static_cast<int64_t>(i)};
  const auto greater = [](const Entry& a, const Entry& b) {
    return (std::isnan(a.first) && !std::isnan(b.first)) || a.first > b.first;
  };
  const int64_t n = static_cast<int64_t>(v.size());
  if (k * 64 <= n) {  // source: topk_impl_loop, ATen/native/TopKImpl.h
    std::partial_sort(order.begin(), order.begin() + k, order.end(), greater);
  } else {
    std::nth_element(order.begin(), order.begin() + k - 1, order.end(), greater);
    std::sort(order.begin(), order.begin() + k - 1, greater);
  }
  for (int64_t i = 0; i < k; ++i) out[i] = order[i].second;
}

// The exponential numbers are drawn for a tensor like self, in the order of its memory.
template <class T>
void WithoutReplacement(Generator& g, const Tensor& self, const Rows& rows, int64_t samples,
                        int64_t* out) {
  using Compute = std::conditional_t<std::is_same_v<T, double>, double, float>;
  std::vector<int64_t> dense(static_cast<size_t>(self.dim()));
  PreservedStrides(self.sizes(), self.strides(), dense.data());
  const Visit visit = VisitOf(self.sizes(), dense);
  std::vector<Compute> q(static_cast<size_t>(self.numel()));
  Cursor cursor(visit);
  for (int64_t i = 0; i < self.numel(); ++i) {
    uint32_t words[2];
    g.Draw(words);
    const T drawn = T(static_cast<Compute>(-std::log1p(-UniformDouble(words))));
    cursor.Next(1, [&](int64_t at, int64_t, int64_t) { q[at] = static_cast<Compute>(drawn); });
  }
  const T* p = self.data<T>();
  const int64_t row_stride = self.dim() == 2 ? dense[0] : 0, stride = dense.back();
  std::vector<Compute> quotients(static_cast<size_t>(rows.categories));
  for (int64_t r = 0; r < rows.count; ++r, out += samples) {
    for (int64_t i = 0; i < rows.categories; ++i) {
      const Compute value = static_cast<Compute>(p[r * rows.row_stride + i * rows.stride]);
      quotients[i] = static_cast<Compute>(T(value / q[r * row_stride + i * stride]));
    }
    if (samples == 1) {  // the first of equals
      *out = std::max_element(quotients.begin(), quotients.end()) - quotients.begin();
    } else {
      Largest(quotients, samples, out);
    }
  }
}

void Multinomial(Call call, const Tensor& out, const Tensor& self, int64_t samples,
                 bool replacement, Generator* generator) {
  if (out.numel() == 0) return;
  const Rows rows = RowsOf(self);
  std::vector<int64_t> drawn(static_cast<size_t>(out.numel()));
  VisitDType<kFloatingTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    RequireDistributions(call, self.data<T>(), rows);
    Generator& g = GeneratorOf(call, generator);
    std::lock_guard lock(g.mutex());
    if (replacement && samples != 1) {
      WithReplacement(g, self.data<T>(), rows, samples, drawn.data());
    } else {
      WithoutReplacement<T>(g, self, rows, samples, drawn.data());
    }
  });
  int64_t* x = out.data<int64_t>();
  const Rows to = RowsOf(out);
  for (int64_t r = 0; r < to.count; ++r) {
    for (int64_t i = 0; i < samples; ++i)
      x[r * to.row_stride + i * to.stride] = drawn[static_cast<size_t>(r * samples + i)];
  }
}

const Kernel kernel{"multinomial", "cpu", kFloatingTypes, Multinomial};

}  // namespace
}  // namespace sy::cpu
