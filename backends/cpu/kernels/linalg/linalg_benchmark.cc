// Times of factorisations, equations and eigenvalues of float32. Arguments: threads, matrices,
// their rows.

#include <benchmark/benchmark.h>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// f(any matrix, a positive definite one, another)
template <class F>
void Run(benchmark::State& state, F f) {
  SetNumThreads(static_cast<int>(state.range(0)));
  const int64_t n = state.range(2);
  const Tensor a = randn({state.range(1), n, n}), b = randn(a.sizes());
  const Tensor positive = add(div(matmul(a, mT(a)), n), eye(n));
  for (auto _ : state) benchmark::DoNotOptimize(f(a, positive, b));
}

void Sizes(benchmark::internal::Benchmark* b) {
  for (const int64_t threads : {1, 2}) {
    for (const int64_t n : {100, 1000, 3000}) b->Args({threads, 1, n});
    b->Args({threads, 1000, 16});
  }
  b->UseRealTime()->Unit(benchmark::kMillisecond);
}
#define SY_BENCHMARK(name, call)                                               \
  void name(benchmark::State& state) {                                         \
    Run(state, [](const Tensor& a, const Tensor& positive, const Tensor& b) {  \
      static_cast<void>(a), static_cast<void>(positive), static_cast<void>(b); \
      return call;                                                             \
    });                                                                        \
  }                                                                            \
  BENCHMARK(name)->Apply(Sizes)
SY_BENCHMARK(Cholesky, linalg_cholesky(positive));
SY_BENCHMARK(Lu, linalg_lu_factor(a));
SY_BENCHMARK(Solve, linalg_solve(a, b));
SY_BENCHMARK(SolveTriangular, linalg_solve_triangular(positive, b, true));
SY_BENCHMARK(Inv, linalg_inv(a));
SY_BENCHMARK(Det, linalg_det(a));
SY_BENCHMARK(Qr, linalg_qr(a));
SY_BENCHMARK(Eigh, linalg_eigh(positive));
SY_BENCHMARK(Eig, linalg_eig(a));
SY_BENCHMARK(Svd, linalg_svd(a));
SY_BENCHMARK(Svdvals, linalg_svdvals(a));

}  // namespace
}  // namespace sy
