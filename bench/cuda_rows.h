// What the suite "cuda" times, on the first cuda device, in terms of names that our C++ API and the
// peer's share: one list, compiled against both. Included once by each program, after its prelude,
// in which unqualified names find the API and which defines
//
//   std::string Missing();              // why there is no device; empty: there is one
//   Tensor Floats(rows, columns);       // float32, 0.5 … 2.5
//   Tensor Numbers16(rows, columns);    // the same as bfloat16
//   Tensor Permutation(n);  Tensor Positions(rows, columns, end);  // int64
//   void Wait();                        // for all work of the device
//   class Stopwatch;                    // Start(); double Stop(): the device's seconds, waits
//   Body Captured(const Body& body);    // replays what the body queues
//   void AllowTf32(bool);
//
// and in-place functions where the API has only methods. Memory rows move 1 GiB and more, many
// times what caches hold. With SWITCHYARD_BENCH_SHRINK=N sides are an Nth and rows are run a few
// times: for a look at whether all of them run, where that is not on a device.
#ifndef SWITCHYARD_BENCH_CUDA_ROWS_H_
#define SWITCHYARD_BENCH_CUDA_ROWS_H_

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace bench {

inline const int64_t kShrink = [] {
  const char* given = std::getenv("SWITCHYARD_BENCH_SHRINK");
  return given == nullptr ? 1 : std::max(1, std::atoi(given));
}();
inline double Real(int64_t n) { return static_cast<double>(n); }

const int64_t kSide = 16384 / kShrink;                // of matrices
const double kArray = 4 * Real(kSide) * Real(kSide);  // bytes of one, as float32
const int64_t kFactor = 8192 / kShrink;               // of products
// Floating point operations of a product, and of the products of a batch.
const double kProduct = 2 * Real(kFactor) * Real(kFactor) * Real(kFactor);
const int64_t kBatch = 64, kBatched = 2048 / kShrink;
const double kProducts = 2 * Real(kBatch) * Real(kBatched) * Real(kBatched) * Real(kBatched);
// Attention: batch, heads, length, columns.
const int64_t kHeads[] = {4, 32, 4096 / kShrink, 128};
const double kScores =
    4 * Real(kHeads[0]) * Real(kHeads[1]) * Real(kHeads[2]) * Real(kHeads[2]) * Real(kHeads[3]);
constexpr int kCalls = 1000;    // of launches, in one go
constexpr int kCaptured = 100;  // operators in a graph

Tensor Matrix() { return Floats(kSide, kSide); }

Tensor Heads() {
  return reshape(Numbers16(kHeads[0] * kHeads[1] * kHeads[2], kHeads[3]),
                 {kHeads[0], kHeads[1], kHeads[2], kHeads[3]});
}

struct Row {
  const char* name;
  double bytes, flops;  // of a call
  double target;  // TB/s or TFLOP/s at least, where bytes and flops are 0 µs at most; 0: none
  int calls;      // measured in one go; by the host's clock where bytes and flops are 0
  Body (*prepare)();
  double operators = 1;  // of a call
};

const Row kRows[] = {
    {"launch/add of 1 element", 0, 0, 3.3, kCalls,
     [] { return Body([a = Floats(1, 1), b = Floats(1, 1)] { Keep(add(a, b)); }); }},
    {"launch/in a replayed graph", 0, 0, 1.0, 100,
     [] {
       return Captured([a = Floats(1, 1), b = Floats(1, 1)]() mutable {
         for (int i = 0; i < kCaptured; ++i) add_(a, b);
       });
     },
     kCaptured},
    {"copy", 2 * kArray, 0, 4.2, 20,
     [] { return Body([to = Matrix(), from = Matrix()]() mutable { copy_(to, from); }); }},
    {"add", 3 * kArray, 0, 4.2, 20,
     [] { return Body([a = Matrix(), b = Matrix()] { Keep(add(a, b)); }); }},
    {"exp", 2 * kArray, 0, 4.2, 20, [] { return Body([a = Matrix()] { Keep(exp(a)); }); }},
    {"sum", kArray, 0, 4.2, 20, [] { return Body([a = Matrix()] { Keep(sum(a)); }); }},
    {"sum dim 0", kArray, 0, 4.2, 20,
     [] { return Body([a = Matrix()] { Keep(sum(a, {0}, false)); }); }},
    {"sum dim 1", kArray, 0, 4.2, 20,
     [] { return Body([a = Matrix()] { Keep(sum(a, {1}, false)); }); }},
    {"max dim 0", kArray, 0, 0, 20, [] { return Body([a = Matrix()] { Keep(max(a, 0)); }); }},
    {"max dim 1", kArray, 0, 0, 20, [] { return Body([a = Matrix()] { Keep(max(a, 1)); }); }},
    {"index_select dim 0", 2 * kArray, 0, 0, 20,
     [] {
       return Body([a = Matrix(), at = Permutation(kSide)] { Keep(index_select(a, 0, at)); });
     }},
    {"sort", 4 * kArray, 0, 0, 3,  // positions come with it, twice as large
     [] { return Body([a = Matrix()] { Keep(sort(a, 1)); }); }},
    {"index_copy_ dim 0", 2 * kArray, 0, 3.8, 20,
     [] {
       return Body([to = Matrix(), from = Matrix(), at = Permutation(kSide)]() mutable {
         index_copy_(to, 0, at, from);
       });
     }},
    {"index_copy_ dim 1", 2 * kArray, 0, 3.8, 20,
     [] {
       return Body([to = Matrix(), from = Matrix(), at = Permutation(kSide)]() mutable {
         index_copy_(to, 1, at, from);
       });
     }},
    {"transposing copy", 2 * kArray, 0, 3.8, 20,
     [] { return Body([a = Matrix()] { Keep(contiguous(transpose(a, 0, 1))); }); }},
    {"softmax", 2 * kArray, 0, 3.8, 20,
     [] { return Body([a = Matrix()] { Keep(softmax(a, 1)); }); }},
    {"layer_norm", 2 * kArray, 0, 3.8, 20,
     [] { return Body([a = Matrix()] { Keep(layer_norm(a, {kSide})); }); }},
    {"cumsum", 2 * kArray, 0, 3.8, 20, [] { return Body([a = Matrix()] { Keep(cumsum(a, 1)); }); }},
    {"gather", 4 * kArray, 0, 3.8,
     20,  // positions count: they are twice as large as what they find
     [] {
       return Body([a = Matrix(), at = Positions(kSide, kSide, kSide)] { Keep(gather(a, 1, at)); });
     }},
    {"row-broadcast add", 2 * kArray, 0, 3.8, 20,
     [] { return Body([a = Matrix(), b = Floats(1, kSide)] { Keep(add(a, b)); }); }},
    {"topk 64 of 16384 rows", kArray, 0, 2.0, 10,
     [] { return Body([a = Matrix()] { Keep(topk(a, 64, 1)); }); }},
    {"randn", kArray, 0, 3.8, 20, [] { return Body([a = Matrix()]() mutable { normal_(a); }); }},
    {"matmul 8192 bfloat16", 0, kProduct, 708, 20,
     [] {
       return Body([a = Numbers16(kFactor, kFactor), b = Numbers16(kFactor, kFactor)] {
         Keep(matmul(a, b));
       });
     }},
    {"matmul 8192 float32", 0, kProduct, 51, 5,
     [] {
       return Body(
           [a = Floats(kFactor, kFactor), b = Floats(kFactor, kFactor)] { Keep(matmul(a, b)); });
     }},
    {"matmul 8192 tf32", 0, kProduct, 365, 20,
     [] {
       return Body([a = Floats(kFactor, kFactor), b = Floats(kFactor, kFactor)] {
         AllowTf32(true);
         Keep(matmul(a, b));
         AllowTf32(false);
       });
     }},
    {"bmm 64 of 2048 bfloat16", 0, kProducts, 0, 20,
     [] {
       const auto matrices = [] {
         return reshape(Numbers16(kBatch * kBatched, kBatched), {kBatch, kBatched, kBatched});
       };
       return Body([a = matrices(), b = matrices()] { Keep(bmm(a, b)); });
     }},
    {"attention bfloat16", 0, kScores, 638, 20,
     [] {
       return Body([q = Heads(), k = Heads(), v = Heads()] {
         Keep(scaled_dot_product_attention(q, k, v));
       });
     }},
};

int CallsOf(const Row& row) { return kShrink == 1 ? row.calls : 2; }

// Seconds of CallsOf(row) calls.
double Time(const Row& row, const Body& body) {
  const int calls = CallsOf(row);
  if (row.bytes + row.flops != 0) {
    Stopwatch watch;
    watch.Start();
    for (int i = 0; i < calls; ++i) body();
    return watch.Stop();
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) body();
  Wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void Measure(benchmark::State& state, const Row& row) {
  try {
    const Body body = row.prepare();
    for (int i = 0; i < 3; ++i) body();
    Wait();
    for (auto _ : state) state.SetIterationTime(Time(row, body) / (CallsOf(row) * row.operators));
  } catch (const std::exception& e) {
    state.SkipWithError(e.what());
    return;
  }
  // Per iteration: divided by its time once they are rates.
  if (row.bytes != 0)
    state.counters["TB/s"] = {row.bytes / 1e12, benchmark::Counter::kIsIterationInvariantRate};
  if (row.flops != 0)
    state.counters["TFLOP/s"] = {row.flops / 1e12, benchmark::Counter::kIsIterationInvariantRate};
  state.counters["target"] = row.target;
}

}  // namespace bench

int main(int argc, char** argv) {
  constexpr int kNoDevice = 3;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const bench::Row& row : bench::kRows) {
    const auto run = [&row](benchmark::State& state) { bench::Measure(state, row); };
    benchmark::RegisterBenchmark(row.name, run)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(5);  // of CallsOf(row) calls each
  }
  if (const std::string missing = bench::Missing(); !missing.empty()) {
    std::fprintf(stderr, "nothing is measured: %s\n", missing.c_str());
    return kNoDevice;
  }
  benchmark::RunSpecifiedBenchmarks();
}

#endif  // SWITCHYARD_BENCH_CUDA_ROWS_H_
