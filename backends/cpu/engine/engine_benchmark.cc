// The engine on large operands, against memory's bandwidth.
//
// The references are written here, plain loops by all threads in the same run: Stream copies with
// streaming stores, StreamTwo adds two tensors so, ReadTwo only compares them. The larger what is
// touched in all, the slower the memory: the rows of int64 are held to those of as many bytes.
// bytes_per_second counts what an operator must read and write. Arguments: elements (of
// float32 unless the name says otherwise), threads.

#include <benchmark/benchmark.h>

#include <cstring>

#include "switchyard/backends/cpu/simd/instructions.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Ones(std::initializer_list<int64_t> sizes, DType dtype = DType::kFloat32) {
  return ones(Ints(sizes), dtype);
}

// Runs `body` and counts `bytes` for each time.
template <class F>
void Measure(benchmark::State& state, int64_t bytes, F body) {
  SetNumThreads(static_cast<int>(state.range(1)));
  for (auto _ : state) body();
  state.SetBytesProcessed(state.iterations() * bytes);
}

// Calls body(i) for each of n vectors of 16 bytes, the threads at parts of their own.
template <class F>
void ForVectors(int64_t n, F body) {
  ParallelFor(n, 8192, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(i);
    cpu::StreamFence();
  });
}
cpu::Bytes16* Vectors(const Tensor& t) { return static_cast<cpu::Bytes16*>(t.data()); }

void Stream(benchmark::State& state, DType dtype) {
  const Tensor a = Ones({state.range(0)}, dtype), out = Ones({state.range(0)}, dtype);
  const int64_t bytes = a.nbytes();
  Measure(state, 2 * bytes, [&] {
    ForVectors(bytes / 16, [to = Vectors(out), from = Vectors(a)](int64_t i) {
      cpu::StreamBytes16(to + i, from[i]);
    });
  });
}
void BM_Stream(benchmark::State& state) { Stream(state, DType::kFloat32); }
void BM_StreamInt64(benchmark::State& state) { Stream(state, DType::kInt64); }

void BM_StreamTwoInt64(benchmark::State& state) {
  const int64_t n = state.range(0);
  const DType d = DType::kInt64;
  const Tensor a = Ones({n}, d), b = Ones({n}, d), out = Ones({n}, d);
  Measure(state, 24 * n, [&] {
    ForVectors(n / 2, [to = Vectors(out), x = Vectors(a), y = Vectors(b)](int64_t i) {
      cpu::StreamBytes16(to + i, x[i] + y[i]);
    });
  });
}
void BM_ReadTwoInt64(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}, DType::kInt64), b = Ones({n}, DType::kInt64);
  Measure(state, 16 * n, [&] {
    ParallelFor(n / 2, 8192, [x = Vectors(a), y = Vectors(b)](int64_t begin, int64_t end) {
      cpu::Bytes16 differ{};
      for (int64_t i = begin; i < end; ++i) differ |= x[i] ^ y[i];
      benchmark::DoNotOptimize(differ);
    });
  });
}

void Copy(benchmark::State& state, DType dtype) {
  const Tensor a = Ones({state.range(0)}, dtype), out = Ones({state.range(0)}, dtype);
  Measure(state, 2 * a.nbytes(), [&] { copy_(out, a); });
}
void BM_Copy(benchmark::State& state) { Copy(state, DType::kFloat32); }
void BM_CopyInt64(benchmark::State& state) { Copy(state, DType::kInt64); }
void BM_CopyTransposed(benchmark::State& state) {
  const int64_t n = state.range(0);
  int64_t rows = 1;
  while (rows * rows < n) ++rows;
  const Tensor a = transpose(Ones({rows, rows}), 0, 1), out = Ones({rows, rows});
  Measure(state, 8 * rows * rows, [&] { copy_(out, a); });
}
void BM_CopyFloat16ToFloat32(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}, DType::kFloat16), out = Ones({n});
  Measure(state, 6 * n, [&] { copy_(out, a); });
}
void BM_CopyInt64ToFloat16(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}, DType::kInt64), out = Ones({n}, DType::kFloat16);
  Measure(state, 10 * n, [&] { copy_(out, a); });
}
void BM_Fill(benchmark::State& state) {
  const Tensor out = Ones({state.range(0)});
  Measure(state, 4 * state.range(0), [&] { fill_(out, 2); });
}

void BM_Add(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}), b = Ones({n}), out = Ones({n});
  Measure(state, 12 * n, [&] { add_out(out, a, b); });
}
void BM_AddBFloat16(benchmark::State& state) {
  const int64_t n = state.range(0);
  const DType d = DType::kBFloat16;
  const Tensor a = Ones({n}, d), b = Ones({n}, d), out = Ones({n}, d);
  Measure(state, 6 * n, [&] { add_out(out, a, b); });
}
void BM_AddInt64(benchmark::State& state) {
  const int64_t n = state.range(0);
  const DType d = DType::kInt64;
  const Tensor a = Ones({n}, d), b = Ones({n}, d), out = Ones({n}, d);
  Measure(state, 24 * n, [&] { add_out(out, a, b); });
}
void BM_AddInt64AndFloat32(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}, DType::kInt64), b = Ones({n}), out = Ones({n});
  Measure(state, 16 * n, [&] { add_out(out, a, b); });
}
void BM_AddNumber(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}), out = Ones({n});
  Measure(state, 8 * n, [&] { add_out(out, a, 2.5); });
}
void BM_AddRow(benchmark::State& state) {
  const int64_t n = state.range(0) / 100;
  const Tensor a = Ones({n, 100}), b = Ones({100}), out = Ones({n, 100});
  Measure(state, 800 * n, [&] { add_out(out, a, b); });
}
void BM_AddColumn(benchmark::State& state) {
  const int64_t n = state.range(0) / 100;
  const Tensor a = Ones({n, 100}), b = Ones({n, 1}), out = Ones({n, 100});
  Measure(state, 800 * n, [&] { add_out(out, a, b); });
}
void BM_AddSlices(benchmark::State& state) {  // rows of 50 out of 100
  const int64_t n = state.range(0) / 50;
  const Tensor a = slice(Ones({n, 100}), 1, 0, 50), out = Ones({n, 50});
  Measure(state, 600 * n, [&] { add_out(out, a, a); });
}
void BM_AddEverySecond(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = slice(Ones({2 * n}), 0, 0, 2 * n, 2), out = Ones({n});
  Measure(state, 12 * n, [&] { add_out(out, a, a); });
}
void BM_Lt(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}), b = Ones({n}), out = Ones({n}, DType::kBool);
  Measure(state, 9 * n, [&] { lt_out(out, a, b); });
}
void BM_LtInt64(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}, DType::kInt64), b = Ones({n}, DType::kInt64);
  const Tensor out = Ones({n}, DType::kBool);
  Measure(state, 17 * n, [&] { lt_out(out, a, b); });
}
void BM_Where(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor m = Ones({n}, DType::kBool), a = Ones({n}), b = Ones({n}), out = Ones({n});
  Measure(state, 13 * n, [&] { where_out(out, m, a, b); });
}
void BM_Exp(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}), out = Ones({n});
  Measure(state, 8 * n, [&] { exp_out(out, a); });
}
void BM_Sin(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Ones({n}), out = Ones({n});
  Measure(state, 8 * n, [&] { sin_out(out, a); });
}

void Large(benchmark::internal::Benchmark* b) {
  b->UseRealTime();
  for (const int64_t threads : {1, 2}) {
    for (const int64_t n : {100'000, 10'000'000}) b->Args({n, threads});
  }
}
BENCHMARK(BM_Stream)->Apply(Large);
BENCHMARK(BM_StreamInt64)->Apply(Large);
BENCHMARK(BM_StreamTwoInt64)->Apply(Large);
BENCHMARK(BM_ReadTwoInt64)->Apply(Large);
BENCHMARK(BM_Copy)->Apply(Large);
BENCHMARK(BM_CopyInt64)->Apply(Large);
BENCHMARK(BM_CopyTransposed)->Apply(Large);
BENCHMARK(BM_CopyFloat16ToFloat32)->Apply(Large);
BENCHMARK(BM_CopyInt64ToFloat16)->Apply(Large);
BENCHMARK(BM_Fill)->Apply(Large);
BENCHMARK(BM_Add)->Apply(Large);
BENCHMARK(BM_AddBFloat16)->Apply(Large);
BENCHMARK(BM_AddInt64)->Apply(Large);
BENCHMARK(BM_AddInt64AndFloat32)->Apply(Large);
BENCHMARK(BM_AddNumber)->Apply(Large);
BENCHMARK(BM_AddRow)->Apply(Large);
BENCHMARK(BM_AddColumn)->Apply(Large);
BENCHMARK(BM_AddSlices)->Apply(Large);
BENCHMARK(BM_AddEverySecond)->Apply(Large);
BENCHMARK(BM_Lt)->Apply(Large);
BENCHMARK(BM_LtInt64)->Apply(Large);
BENCHMARK(BM_Where)->Apply(Large);
BENCHMARK(BM_Exp)->Apply(Large);
BENCHMARK(BM_Sin)->Apply(Large);

}  // namespace
}  // namespace sy
