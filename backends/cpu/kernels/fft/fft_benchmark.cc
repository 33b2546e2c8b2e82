// Times of Fourier transforms in one thread. Arguments: transforms, their length.

#include <benchmark/benchmark.h>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

template <class F>
void Run(benchmark::State& state, DType dtype, F f) {
  SetNumThreads(1);
  const Tensor x = to(randn({state.range(0), state.range(1)}), dtype);
  for (auto _ : state) benchmark::DoNotOptimize(f(x).data());
  state.SetItemsProcessed(state.iterations() * x.numel());
}

void Complex(benchmark::State& state) {
  Run(state, DType::kComplex64, [](const Tensor& x) { return fft_fft(x); });
}
void Real(benchmark::State& state) {
  Run(state, DType::kFloat32, [](const Tensor& x) { return fft_rfft(x); });
}
void TwoDimensions(benchmark::State& state) {
  Run(state, DType::kComplex64, [](const Tensor& x) { return fft_fft2(x); });
}

void Lengths(benchmark::internal::Benchmark* b) {
  for (const int64_t n : {64, 1000, 1024, 10007, 65536, 1 << 20}) b->Args({1, n});
  b->Args({1000, 1024});
}
BENCHMARK(Complex)->Apply(Lengths);
BENCHMARK(Real)->Apply(Lengths);
BENCHMARK(TwoDimensions)->Args({512, 512});

}  // namespace
}  // namespace sy
