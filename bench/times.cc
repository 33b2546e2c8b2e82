// Times the cases that are linked in, with Google Benchmark: name/threads:1, :2, :4.

#include <benchmark/benchmark.h>

#include "bench/case.h"

int main(int argc, char** argv) {
  for (const bench::Case* c = bench::Case::first; c != nullptr; c = c->next()) {
    auto* b = benchmark::RegisterBenchmark(c->name(), [c](benchmark::State& state) {
      constexpr int64_t kBatch = 200;
      const auto loop = c->NewLoop();
      while (state.KeepRunningBatch(kBatch)) loop->Run(kBatch);
    });
    b->Threads(1)->Threads(2)->Threads(4)->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
