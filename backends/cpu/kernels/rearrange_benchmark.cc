// Copies in other orders, and lists of elements by masks, at sizes beyond the caches.
// The last argument is the number of threads.
#include <benchmark/benchmark.h>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void Bytes(benchmark::State& state, const Tensor& moved) {
  state.SetBytesProcessed(state.iterations() * 2 * static_cast<int64_t>(moved.nbytes()));
}
// Args: rows, columns, dim, threads.
Tensor Input(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(3)));
  return rand({state.range(0), state.range(1)});
}

void Clone(benchmark::State& state) {
  const Tensor x = Input(state), out = sy::empty(x.sizes());
  for (auto _ : state) copy_(out, x);
  Bytes(state, out);
}
void Flip(benchmark::State& state) {
  const Tensor x = Input(state), out = sy::empty(x.sizes());
  for (auto _ : state) flip_out(out, x, {state.range(2)});
  Bytes(state, out);
}
void Roll(benchmark::State& state) {
  const Tensor x = Input(state), out = sy::empty(x.sizes());
  for (auto _ : state) roll_out(out, x, 1, state.range(2));
  Bytes(state, out);
}
void Repeat(benchmark::State& state) {
  const Tensor x = Input(state);
  const int64_t dim = state.range(2), n = x.size(dim), own = n < 8 ? 1 : n / 8;
  const Tensor part = contiguous(narrow(x, dim, 0, own)), out = sy::empty(x.sizes());
  const std::array<int64_t, 2> times = {dim == 0 ? n / own : 1, dim == 0 ? 1 : n / own};
  for (auto _ : state) repeat_out(out, part, times);
  Bytes(state, out);
}
void Tril(benchmark::State& state) {
  const Tensor x = Input(state), out = sy::empty(x.sizes());
  for (auto _ : state) tril_out(out, x);
  Bytes(state, out);
}
void Nonzero(benchmark::State& state) {
  const Tensor x = gt(Input(state), 0.5);
  for (auto _ : state) nonzero(x);
  state.SetItemsProcessed(state.iterations() * x.numel());
}
void MaskedSelect(benchmark::State& state) {
  const Tensor x = Input(state), mask = gt(x, 0.5);
  for (auto _ : state) masked_select(x, mask);
  state.SetItemsProcessed(state.iterations() * x.numel());
}
void MaskedScatter(benchmark::State& state) {
  const Tensor x = Input(state), mask = gt(x, 0.5), source = rand({x.numel()});
  for (auto _ : state) masked_scatter_(x, mask, source);
  state.SetItemsProcessed(state.iterations() * x.numel());
}
void Pad(benchmark::State& state) {
  const Tensor x = view(Input(state), {1, 1, state.range(0), state.range(1)});
  for (auto _ : state) pad(x, {1, 1, 1, 1}, state.range(2) == 0 ? "constant" : "reflect");
  Bytes(state, x);
}

void Sizes(benchmark::internal::Benchmark* b) {
  for (const int64_t dim : {0, 1}) {
    for (const int64_t threads : {1, 2}) {
      b->Args({4096, 4096, dim, threads});
      b->Args({512, 512, dim, threads});
    }
  }
  b->Args({1 << 20, 3, 0, 1})->Args({1 << 20, 3, 1, 1})->Args({8, 8, 0, 1})->UseRealTime();
}
BENCHMARK(Clone)->Apply(Sizes);
BENCHMARK(Flip)->Apply(Sizes);
BENCHMARK(Roll)->Apply(Sizes);
BENCHMARK(Repeat)->Apply(Sizes);
BENCHMARK(Tril)->Apply(Sizes);
BENCHMARK(Nonzero)->Apply(Sizes);
BENCHMARK(MaskedSelect)->Apply(Sizes);
BENCHMARK(MaskedScatter)->Apply(Sizes);
BENCHMARK(Pad)->Apply(Sizes);

}  // namespace
}  // namespace sy
