// Square products by each library that could compute them, in one thread, in GFLOP/s.
//
//   bazel run //backends/cpu:gemm_benchmark

#include <benchmark/benchmark.h>

#include <complex>
#include <vector>

#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/core/half.h"

namespace sy::cpu {
namespace {

// Three matrices of n rows, filled with numbers that do not overflow.
template <class T>
struct Matrices {
  explicit Matrices(int n) : a(size_t(n) * n, T(0.5f)), b(a), c(a) {}
  std::vector<T> a, b, c;
};

void Report(benchmark::State& state, double flops_of_one) {
  const double n = static_cast<double>(state.range(0));
  state.counters["GFLOP/s"] = benchmark::Counter(flops_of_one * n * n * n * 1e-9,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

template <class T, class Gemm>
void Real(benchmark::State& state, Gemm gemm) {
  const int n = static_cast<int>(state.range(0));
  Matrices<T> m(n);
  for (auto _ : state) {
    gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, T(1), m.a.data(), n, m.b.data(), n,
         T(0), m.c.data(), n);
  }
  Report(state, 2);
}
template <class T, class Gemm>
void Complex(benchmark::State& state, Gemm gemm) {
  const int n = static_cast<int>(state.range(0));
  Matrices<T> m(n);
  const T one(1), zero(0);
  for (auto _ : state) {
    gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, &one, m.a.data(), n, m.b.data(), n,
         &zero, m.c.data(), n);
  }
  Report(state, 8);
}

const OpenBlas& Blas() { return OpenBlas::GetOrFail("gemm_benchmark"); }

void Float32OpenBlas(benchmark::State& state) { Real<float>(state, Blas().sgemm); }
void Float32OneDnn(benchmark::State& state) {
  if (!OneDnnMultiplies(DType::kFloat32))
    return state.SkipWithError("none that keeps to the stack");
  const int64_t n = state.range(0);
  Matrices<float> m(static_cast<int>(n));
  for (auto _ : state)
    OneDnnProduct(DType::kFloat32, false, false, n, n, n, m.a.data(), n, m.b.data(), n, m.c.data(),
                  n);
  Report(state, 2);
}
void BFloat16OneDnn(benchmark::State& state) {
  if (!OneDnnMultiplies(DType::kBFloat16))
    return state.SkipWithError("no instructions for bfloat16");
  const int64_t n = state.range(0);
  Matrices<BFloat16> m(static_cast<int>(n));
  for (auto _ : state)
    OneDnnProduct(DType::kBFloat16, false, false, n, n, n, m.a.data(), n, m.b.data(), n, m.c.data(),
                  n);
  Report(state, 2);
}
void Float64OpenBlas(benchmark::State& state) { Real<double>(state, Blas().dgemm); }
void Complex64OpenBlas(benchmark::State& state) {
  Complex<std::complex<float>>(state, Blas().cgemm);
}
void Complex128OpenBlas(benchmark::State& state) {
  Complex<std::complex<double>>(state, Blas().zgemm);
}

void Sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {8, 16, 32, 64, 96, 128, 256, 512, 1024, 2048}) b->Arg(n);
}
BENCHMARK(Float32OpenBlas)->Apply(Sizes);
BENCHMARK(Float32OneDnn)->Apply(Sizes);
BENCHMARK(BFloat16OneDnn)->Apply(Sizes);
BENCHMARK(Float64OpenBlas)->Apply(Sizes);
BENCHMARK(Complex64OpenBlas)->Apply(Sizes);
BENCHMARK(Complex128OpenBlas)->Apply(Sizes);

}  // namespace
}  // namespace sy::cpu
