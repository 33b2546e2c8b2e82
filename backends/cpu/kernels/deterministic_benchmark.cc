// What use_deterministic_algorithms() costs: products and factorisations that are cut by their
// sizes instead of by the number of threads.
//
//   bazel run //backends/cpu/kernels:deterministic_benchmark
//
// Rows are named NAME/SIZE/THREADS/SWITCH.

#include <benchmark/benchmark.h>

#include "switchyard/core/deterministic.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

template <class F>
void Measure(benchmark::State& state, F call) {
  SetNumThreads(static_cast<int>(state.range(1)));
  use_deterministic_algorithms(state.range(2) != 0);
  call();
  for (auto _ : state) call();
  use_deterministic_algorithms(false);
}

void Matmul(benchmark::State& state, DType d) {
  const int64_t n = state.range(0);
  const Tensor a = to(rand({n, n}), d), b = to(rand({n, n}), d);
  Measure(state, [&] { benchmark::DoNotOptimize(matmul(a, b)); });
}
void MatmulFloat32(benchmark::State& state) { Matmul(state, DType::kFloat32); }
void MatmulFloat64(benchmark::State& state) { Matmul(state, DType::kFloat64); }
// A batch of rows through a layer: few rows, wide.
void Linear(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor x = rand({64, n}), w = rand({n, n});
  Measure(state, [&] { benchmark::DoNotOptimize(linear(x, w, Tensor())); });
}
void Convolution(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor x = rand({4, 64, n, n}), w = rand({64, 64, 3, 3});
  Measure(state, [&] { benchmark::DoNotOptimize(conv2d(x, w)); });
}
void Solve(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = add(rand({n, n}), eye(n), n), b = rand({n});
  Measure(state, [&] { benchmark::DoNotOptimize(linalg_solve(a, b)); });
}

void Rows(benchmark::internal::Benchmark* b, std::initializer_list<int64_t> sizes) {
  for (const int64_t n : sizes)
    for (const int64_t threads : {1, 2})
      for (const int64_t on : {0, 1}) b->Args({n, threads, on});
  b->UseRealTime();
}
void Large(benchmark::internal::Benchmark* b) { Rows(b, {128, 256, 512, 1024, 2048}); }
void Images(benchmark::internal::Benchmark* b) { Rows(b, {28, 56}); }
void Systems(benchmark::internal::Benchmark* b) { Rows(b, {1024, 2048}); }
BENCHMARK(MatmulFloat32)->Apply(Large);
BENCHMARK(MatmulFloat64)->Apply(Large);
BENCHMARK(Linear)->Apply(Large);
BENCHMARK(Convolution)->Apply(Images);
BENCHMARK(Solve)->Apply(Systems);

}  // namespace
}  // namespace sy
