#include <algorithm>
#include <cmath>
#include <vector>

#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // differences worth a thread
constexpr int kLanes = 8;            // sums that the compiler keeps in a vector

// combine(sum so far, |x - y|), lane by lane, and at last lane with lane.
template <class T, class C, class J>
T Fold(const T* x, const T* y, int64_t n, C combine, J join) {
  T lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) lanes[j] = combine(lanes[j], std::abs(x[i + j] - y[i + j]));
  }
  for (; i < n; ++i) lanes[0] = combine(lanes[0], std::abs(x[i] - y[i]));
  for (int j = 1; j < kLanes; ++j) lanes[0] = join(lanes[0], lanes[j]);
  return lanes[0];
}

template <class T>
T Distance(const T* x, const T* y, int64_t n, T p) {
  const auto add = [](T a, T b) { return a + b; };
  if (p == 2)
    return std::sqrt(Fold(
        x, y, n, [](T s, T d) { return s + d * d; }, add));
  if (p == 1) return Fold(x, y, n, add, add);
  if (p == 0)
    return Fold(
        x, y, n, [](T s, T d) { return s + (d == 0 ? T(0) : T(1)); }, add);
  if (std::isinf(p)) {
    const auto larger = [](T a, T b) { return b > a || b != b ? b : a; };
    return Fold(x, y, n, larger, larger);
  }
  return std::pow(Fold(
                      x, y, n, [p](T s, T d) { return s + std::pow(d, p); }, add),
                  1 / p);
}

// x with the batch's sizes before its last two.
Tensor InBatch(const Tensor& x, IntSpan batch) {
  std::vector<int64_t> sizes(batch.begin(), batch.end());
  sizes.insert(sizes.end(), x.sizes().end() - 2, x.sizes().end());
  return Expanded(x, sizes);
}

void Cdist(Call, const Tensor& out, const Tensor& x1, const Tensor& x2, double p,
           Optional<int64_t>) {
  if (out.numel() == 0) return;
  const IntSpan batch = out.sizes().first(out.sizes().size() - 2);
  const Tensor a = Dense(InBatch(x1, batch), x1.dtype()), b = Dense(InBatch(x2, batch), x2.dtype());
  const int64_t m = x1.size(-2), n = x2.size(-2), d = x1.size(-1);
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    VisitDType<f::kFloats>(to.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T *x = a.data<T>(), *y = b.data<T>();
      T* z = to.data<T>();
      ParallelFor(to.numel() / n, std::max<int64_t>(1, kGrain / (n * d + 1)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) {
                      for (int64_t j = 0; j < n; ++j)
                        z[i * n + j] =
                            Distance(x + i * d, y + (i / m * n + j) * d, d, static_cast<T>(p));
                    }
                  });
    });
  });
}

void Pdist(Call, const Tensor& out, const Tensor& self, double p) {
  if (out.numel() == 0) return;
  const Tensor in = Dense(self, self.dtype());
  const int64_t n = self.sizes()[0], d = self.sizes()[1];
  IntoDense(out, out.dtype(), [&](const Tensor& to) {
    VisitDType<f::kFloats>(to.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* x = in.data<T>();
      ParallelFor(n, std::max<int64_t>(1, kGrain / (n * d + 1)), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          T* z = to.data<T>() + i * n - i * (i + 1) / 2 - i - 1;  // pairs of smaller i come first
          for (int64_t j = i + 1; j < n; ++j)
            z[j] = Distance(x + i * d, x + j * d, d, static_cast<T>(p));
        }
      });
    });
  });
}

const Kernel cdist{"cdist", "cpu", f::kFloats, Cdist};
const Kernel pdist{"pdist", "cpu", f::kFloats, Pdist};

}  // namespace
}  // namespace sy::cpu
