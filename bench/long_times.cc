// Times cases that take milliseconds, one by one, from one thread: they use several themselves.

#include <benchmark/benchmark.h>

#include "bench/case.h"

int main(int argc, char** argv) {
  for (const bench::Case* c = bench::Case::first; c != nullptr; c = c->next()) {
    auto* b = benchmark::RegisterBenchmark(c->name(), [c](benchmark::State& state) {
      const auto loop = c->NewLoop();
      loop->Run(1);
      while (state.KeepRunning()) loop->Run(1);
    });
    b->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
