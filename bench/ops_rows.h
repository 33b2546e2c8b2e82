// Times bench/ops_list.h with Google Benchmark, a row for each operator, dtype, layout, size and
// number of threads: "add/float32/contiguous/100000/2". Included once by each program, after its
// prelude and the list; the prelude defines SetThreads(int) too.
#ifndef SWITCHYARD_BENCH_OPS_ROWS_H_
#define SWITCHYARD_BENCH_OPS_ROWS_H_

#include <benchmark/benchmark.h>

#include <string>

namespace bench {

constexpr const char* kKindNames[] = {"float32", "bfloat16", "int64", "bool"};
constexpr int64_t kKindBytes[] = {4, 2, 8, 1};
constexpr const char* kLayoutNames[] = {"contiguous", "transposed", "broadcast"};

// A matrix of that layout: a transposed one is the other way around in memory.
template <class Make>
Tensor Laid(unsigned layout, int64_t rows, int64_t columns, Make make) {
  return layout == kTransposed ? transpose(make(columns, rows), 0, 1) : make(rows, columns);
}

Inputs MakeInputs(Kind kind, unsigned layout, int64_t size) {
  int64_t rows = 1;
  while (rows * rows * 8 / 5 < size) ++rows;
  while (size % rows != 0) --rows;
  const int64_t columns = size / rows;
  const auto numbers = [&](int64_t r, int64_t c) { return Numbers(kind, r, c); };
  Inputs x;
  x.a = Laid(layout, rows, columns, numbers);
  x.b = layout == kBroadcast ? numbers(1, columns) : Laid(layout, rows, columns, numbers);
  x.c = numbers(rows, columns);
  x.half = Numbers(kHalf16, rows, columns);
  x.mask = Laid(layout, rows, columns, [](int64_t r, int64_t c) { return Numbers(kBit, r, c); });
  x.target = numbers(rows, columns);
  x.rows = Permutation(rows);
  x.columns = Permutation(columns);
  x.along = Positions(rows, columns, columns);
  return x;
}

// Those of the row before are kept: a row is run several times, and large tensors take longer to
// make than to use.
Inputs& InputsOf(Kind kind, unsigned layout, int64_t size) {
  static Inputs x;
  static Kind last_kind;
  static unsigned last_layout = 0;
  static int64_t last_size;
  if (last_layout != layout || last_kind != kind || last_size != size) {
    x = Inputs();
    x = MakeInputs(kind, layout, size);
  }
  last_kind = kind;
  last_layout = layout;
  last_size = size;
  return x;
}

void Measure(benchmark::State& state, const Op& op, Kind kind, unsigned layout, int64_t size,
             int threads) {
  Prepare();
  SetThreads(threads);
  Inputs& x = InputsOf(kind, layout, size);
  op.run(x);
  for (auto _ : state) op.run(x);
  state.counters["bytes"] = op.streams * static_cast<double>(size * kKindBytes[kind]);
}

void RegisterRows() {
  for (const Op& op : kOps) {
    for (int kind = 0; kind < 4; ++kind) {
      if ((op.dtypes >> kind & 1) == 0) continue;
      for (int layout = 0; layout < 3; ++layout) {
        if ((op.layouts >> layout & 1) == 0) continue;
        for (int64_t size = 1000; size <= op.largest; size *= 100) {
          for (const int threads : {1, 2}) {
            const std::string name = std::string(op.name) + "/" + kKindNames[kind] + "/" +
                                     kLayoutNames[layout] + "/" + std::to_string(size) + "/" +
                                     std::to_string(threads);
            benchmark::RegisterBenchmark(name.c_str(), [=, &op](benchmark::State& state) {
              Measure(state, op, static_cast<Kind>(kind), 1u << layout, size, threads);
            })->UseRealTime();
          }
        }
      }
    }
  }
}

}  // namespace bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  bench::RegisterRows();
  benchmark::RunSpecifiedBenchmarks();
}

#endif  // SWITCHYARD_BENCH_OPS_ROWS_H_
