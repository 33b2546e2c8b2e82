// Operators that move, add, scan and sort slices, and matrix products, at the sizes at which they
// are usually compared. The last argument is the number of threads.
#include <benchmark/benchmark.h>

#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void Bytes(benchmark::State& state, const Tensor& moved) {
  state.SetBytesProcessed(state.iterations() * 2 * static_cast<int64_t>(moved.nbytes()));
}

// Args: rows, columns, dim, threads. Every slice is moved, in random order.
void IndexCopy(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = zeros({state.range(0), state.range(1)}), source = rand(x.sizes());
  const Tensor index = randperm(x.size(state.range(2)));
  for (auto _ : state) index_copy_(x, state.range(2), index, source);
  Bytes(state, source);
}

void IndexSelect(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = rand({state.range(0), state.range(1)}), out = sy::empty(x.sizes());
  const Tensor index = randperm(x.size(state.range(2)));
  for (auto _ : state) index_select_out(out, x, state.range(2), index);
  Bytes(state, x);
}

void Gather(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = rand({state.range(0), state.range(1)}), out = sy::empty(x.sizes());
  const int64_t dim = state.range(2);
  const Tensor order = randperm(x.size(dim));
  const Tensor index = contiguous(expand(unsqueeze(order, 1 - dim), x.sizes()));
  for (auto _ : state) gather_out(out, x, dim, index);
  Bytes(state, x);
}

void IndexAdd(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = zeros({state.range(0), state.range(1)}), source = rand(x.sizes());
  const Tensor index = randperm(x.size(state.range(2)));
  for (auto _ : state) index_add_(x, state.range(2), index, source);
  Bytes(state, source);
}

void IndexPut(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = zeros({state.range(0), state.range(1)}), source = rand(x.sizes());
  const int64_t dim = state.range(2);
  const Tensor order = randperm(x.size(dim));
  const std::vector<Tensor> indices = {dim == 0 ? order : Tensor(), dim == 0 ? Tensor() : order};
  for (auto _ : state) index_put_(x, indices, source);
  Bytes(state, source);
}

void CumSum(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = rand({state.range(0), state.range(1)}), out = sy::empty(x.sizes());
  for (auto _ : state) cumsum_out(out, x, state.range(2));
  Bytes(state, x);
}

void Sort(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = rand({state.range(0), state.range(1)});
  for (auto _ : state) benchmark::DoNotOptimize(sort(x, state.range(2)));
  Bytes(state, x);
}

void Cat(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  const Tensor x = rand({state.range(0), state.range(1)}), joined = cat({x, x}, state.range(2));
  for (auto _ : state) cat_out(joined, {x, x}, state.range(2));
  Bytes(state, joined);
}

// Args: n of [n, n] @ [n, n], threads.
template <DType kDType>
void Mm(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(1)));
  const int64_t n = state.range(0);
  const Tensor a = ones({n, n}, kDType), b = ones({n, n}, kDType), out = empty({n, n}, kDType);
  for (auto _ : state) mm_out(out, a, b);
  state.counters["GFLOP/s"] = benchmark::Counter(
      2e-9 * static_cast<double>(n * n * n * state.iterations()), benchmark::Counter::kIsRate);
}

void Slices(benchmark::internal::Benchmark* b) {
  for (const int64_t threads : {1, 2}) {
    for (const int64_t dim : {0, 1}) {
      b->Args({64, 64, dim, threads});
      b->Args({1000, 1000, dim, threads});
      b->Args({3000, 3000, dim, threads});
    }
  }
  b->UseRealTime();
}
void Squares(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{8, 64, 256, 1024}, {1, 2}})->UseRealTime();
}

BENCHMARK(IndexCopy)->Apply(Slices);
BENCHMARK(IndexSelect)->Apply(Slices);
BENCHMARK(Gather)->Apply(Slices);
BENCHMARK(Cat)->Apply(Slices);
BENCHMARK(IndexAdd)->Apply(Slices);
BENCHMARK(IndexPut)->Apply(Slices);
BENCHMARK(CumSum)->Apply(Slices);
BENCHMARK(Sort)->Apply(Slices);
BENCHMARK(Mm<DType::kFloat32>)->Apply(Squares);
BENCHMARK(Mm<DType::kFloat64>)->Apply(Squares);
BENCHMARK(Mm<DType::kBFloat16>)->Apply(Squares);
BENCHMARK(Mm<DType::kFloat16>)->Apply(Squares);
BENCHMARK(Mm<DType::kInt32>)->Apply(Squares);

}  // namespace
}  // namespace sy
