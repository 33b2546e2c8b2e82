// Times bench/gradients_list.h with Google Benchmark, one thread:
//
//   mlp_step, …           a step of training; counter peak_bytes: what it takes beyond the network
//   unrecorded/add, …     an operator of a chain of 1,000 without recording
//   recorded/add, …       the same recorded
//   backward/add, …       its backward, histories released
//
// Included once by each program, after its prelude and the list.
#ifndef SWITCHYARD_BENCH_GRADIENTS_ROWS_H_
#define SWITCHYARD_BENCH_GRADIENTS_ROWS_H_

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <chrono>
#include <fstream>
#include <string>

namespace bench {

// A line of /proc/self/status, in bytes: "VmRSS:" now, "VmHWM:" the most since the last reset.
inline double MemoryOf(const std::string& line) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    double kilobytes;
    if (word == line && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

// Pages of programs, libraries and other files.
inline double FilesMemory() { return MemoryOf("RssFile:") + MemoryOf("RssShmem:"); }

// Of the first steps of the process: later ones find memory that is kept for reuse. Without the
// code that they are the first to run, of libraries, too, that are opened for it.
inline double PeakOf(const std::function<void()>& step) {
  malloc_trim(0);  // what was freed before is given back, so that all that a step takes is seen
  const double before = MemoryOf("VmRSS:"), files = FilesMemory();
  std::ofstream("/proc/self/clear_refs") << 5;  // from now on VmHWM is the most
  step();
  step();
  return MemoryOf("VmHWM:") - before - (FilesMemory() - files);
}

inline void MeasureStep(benchmark::State& state, const Step& row) {
  Prepare();
  // A row is called several times, with more iterations each time.
  static const Step* last = nullptr;
  static std::function<void()> step;
  static double peak;
  if (last != &row) {
    step = nullptr;
    step = row.make();
    peak = PeakOf(step);
    last = &row;
  }
  for (auto _ : state) step();
  state.counters["peak_bytes"] = peak;
}

enum class Part { kUnrecorded, kRecorded, kBackward };

inline void MeasureChain(benchmark::State& state, const Chain& chain, Part part) {
  using Clock = std::chrono::steady_clock;
  Prepare();
  const bool matrix = std::string(chain.name) == "mm";
  const auto one = [&] { return matrix ? ones({1, 1}) : ones({1}); };
  const Tensor leaf = Leaf(one()), constant = one();
  const auto run = [&] {
    Tensor y = chain.next(leaf, constant);
    for (int i = 1; i < kChain; ++i) y = chain.next(y, constant);
    return y;
  };
  for (auto _ : state) {
    std::chrono::duration<double> took;
    auto start = Clock::now();
    if (part == Part::kUnrecorded) {
      const Unrecorded off;
      Keep(run());
      took = Clock::now() - start;
    } else {
      const Tensor y = run();
      took = Clock::now() - start;
      start = Clock::now();
      Backward(y);
      if (part == Part::kBackward) took = Clock::now() - start;
    }
    state.SetIterationTime(took.count() / kChain);
  }
}

inline void RegisterRows() {
  for (const Step& row : kSteps) {
    benchmark::RegisterBenchmark(row.name, [&row](benchmark::State& s) {
      MeasureStep(s, row);
    })->UseRealTime();
  }
  constexpr std::pair<const char*, Part> kParts[] = {{"unrecorded/", Part::kUnrecorded},
                                                     {"recorded/", Part::kRecorded},
                                                     {"backward/", Part::kBackward}};
  for (const auto& [name, part] : kParts) {
    for (const Chain& chain : kChains) {
      benchmark::RegisterBenchmark(
          (std::string(name) + chain.name).c_str(),
          [&chain, part = part](benchmark::State& s) { MeasureChain(s, chain, part); })
          ->UseManualTime()
          ->Iterations(100);
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

#endif  // SWITCHYARD_BENCH_GRADIENTS_ROWS_H_
