// Reductions of 8 to 10^7 elements, of everything and of one dimension, against memory's bandwidth:
// bytes_per_second counts what must be read.
//
//   bazel run //backends/cpu:reduce_benchmark -- --benchmark_filter=Sum

#include <benchmark/benchmark.h>

#include <cstring>

#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Some(IntSpan sizes, DType dtype) {
  const Tensor t = Tensor::Empty(sizes, dtype);
  std::memset(t.data(), 0, t.nbytes());
  return t;
}

template <class F>
void Run(benchmark::State& state, const Tensor& t, F f) {
  for (auto _ : state) benchmark::DoNotOptimize(f(t));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(t.nbytes()));
}

template <class F>
void All(benchmark::State& state, F f, DType dtype = DType::kFloat32) {
  const int64_t n = state.range(0);
  Run(state, Some({&n, 1}, dtype), f);
}
template <class F>
void OneDim(benchmark::State& state, F f) {
  Run(state, Some(std::initializer_list<int64_t>{3000, 3000}, DType::kFloat32), f);
}

const auto kSum = [](const Tensor& t) { return sum(t); };
const auto kMax = [](const Tensor& t) { return max(t); };
const auto kArgmax = [](const Tensor& t) { return argmax(t); };
const auto kStd = [](const Tensor& t) { return std(t); };
const auto kAny = [](const Tensor& t) { return any(t); };

void BM_Sum(benchmark::State& state) { All(state, kSum); }
void BM_SumInt32(benchmark::State& state) { All(state, kSum, DType::kInt32); }
void BM_SumBFloat16(benchmark::State& state) { All(state, kSum, DType::kBFloat16); }
void BM_Max(benchmark::State& state) { All(state, kMax); }
void BM_Argmax(benchmark::State& state) { All(state, kArgmax); }
void BM_Std(benchmark::State& state) { All(state, kStd); }
void BM_AnyFloat32(benchmark::State& state) { All(state, kAny); }
BENCHMARK(BM_Sum)->Arg(8)->Arg(1000)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_SumInt32)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_SumBFloat16)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_Max)->Arg(8)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_Argmax)->Arg(8)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_Std)->Arg(8)->Arg(100000)->Arg(10000000)->UseRealTime();
BENCHMARK(BM_AnyFloat32)->Arg(100000)->Arg(10000000)->UseRealTime();

void BM_SumDim(benchmark::State& state) {
  const int64_t dim = state.range(0);
  OneDim(state, [dim](const Tensor& t) { return sum(t, IntSpan(&dim, 1)); });
}
void BM_MaxDim(benchmark::State& state) {
  const int64_t dim = state.range(0);
  OneDim(state, [dim](const Tensor& t) { return max(t, dim); });
}
void BM_StdDim(benchmark::State& state) {
  const int64_t dim = state.range(0);
  OneDim(state, [dim](const Tensor& t) { return std(t, IntSpan(&dim, 1), Scalar(1)); });
}
BENCHMARK(BM_SumDim)->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(BM_MaxDim)->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(BM_StdDim)->Arg(0)->Arg(1)->UseRealTime();

// A row of few elements for each of many outputs.
void BM_SumShortRows(benchmark::State& state) {
  const int64_t columns = state.range(0), last = 1;
  const Tensor t =
      Some(std::initializer_list<int64_t>{10000000 / columns, columns}, DType::kFloat32);
  Run(state, t, [&](const Tensor& x) { return sum(x, IntSpan(&last, 1)); });
}
BENCHMARK(BM_SumShortRows)->Arg(3)->Arg(20)->Arg(100)->UseRealTime();

}  // namespace
}  // namespace sy
