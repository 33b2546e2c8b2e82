// Times of images of other sizes: 3 channels of 8 bits, in planes and side by side. Arguments:
// threads, rows and columns of the input, and of the output.

#include <benchmark/benchmark.h>

#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// f(image, sizes)
template <class F>
void Run(benchmark::State& state, MemoryFormat format, F f) {
  SetNumThreads(static_cast<int>(state.range(0)));
  manual_seed(1);
  const int64_t from = state.range(1), to_size = state.range(2);
  const Tensor x = contiguous(to(randint(256, {1, 3, from, from}), DType::kUInt8), format);
  const std::vector<int64_t> size{to_size, to_size};
  for (auto _ : state) benchmark::DoNotOptimize(f(x, size));
}

void Sizes(benchmark::internal::Benchmark* b) {
  for (const int64_t threads : {1, 2}) b->Args({threads, 224, 512})->Args({threads, 800, 224});
  b->UseRealTime()->Unit(benchmark::kMicrosecond);
}
#define SY_BENCHMARK(name, call)                                                 \
  void name(benchmark::State& state) {                                           \
    Run(state, MemoryFormat::kContiguous,                                        \
        [](const Tensor& x, const std::vector<int64_t>& size) { return call; }); \
  }                                                                              \
  BENCHMARK(name)->Apply(Sizes);                                                 \
  void name##SideBySide(benchmark::State& state) {                               \
    Run(state, MemoryFormat::kChannelsLast,                                      \
        [](const Tensor& x, const std::vector<int64_t>& size) { return call; }); \
  }                                                                              \
  BENCHMARK(name##SideBySide)->Apply(Sizes)
SY_BENCHMARK(Bilinear, upsample_bilinear2d(x, size, false));
SY_BENCHMARK(Bicubic, upsample_bicubic2d(x, size, false));
SY_BENCHMARK(BilinearAntialiased, _upsample_bilinear2d_aa(x, size, false));
SY_BENCHMARK(BicubicAntialiased, _upsample_bicubic2d_aa(x, size, false));

}  // namespace
}  // namespace sy
