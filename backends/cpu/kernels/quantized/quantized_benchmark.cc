// Times of quantised tensors: 128 rows of 1024 numbers, layers of 1024 to 1024, and 32 channels of
// 56 x 56. Argument: threads.

#include <benchmark/benchmark.h>

#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// f(numbers, quantised ones, a weight, a bias)
template <class F>
void Run(benchmark::State& state, F f) {
  SetNumThreads(static_cast<int>(state.range(0)));
  manual_seed(1);
  const Tensor x = randn({128, 1024}), q = quantize_per_tensor(x, 0.05, 128, DType::kUInt8),
               w = quantize_per_tensor(randn({1024, 1024}), 0.05, 0, DType::kInt8),
               bias = randn({1024});
  for (auto _ : state) benchmark::DoNotOptimize(f(x, q, w, bias));
}
#define SY_BENCHMARK(name, call)                                                           \
  void name(benchmark::State& state) {                                                     \
    Run(state, [](const Tensor& x, const Tensor& q, const Tensor& w, const Tensor& bias) { \
      static_cast<void>(x), static_cast<void>(q), static_cast<void>(w);                    \
      static_cast<void>(bias);                                                             \
      return call;                                                                         \
    });                                                                                    \
  }                                                                                        \
  BENCHMARK(name)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond)
SY_BENCHMARK(Quantize, quantize_per_tensor(x, 0.05, 128, DType::kUInt8));
SY_BENCHMARK(Dequantize, dequantize(q));
SY_BENCHMARK(FakeQuantize, fake_quantize_per_tensor_affine(x, 0.05, 0, -128, 127));
SY_BENCHMARK(Linear, quantized_linear(q, w, bias, 0.5, 128));
SY_BENCHMARK(LinearDynamic, quantized_linear_dynamic(x, w, bias));
SY_BENCHMARK(Add, quantized_add(q, q, 0.1, 128));

void Convolution(benchmark::State& state) {
  SetNumThreads(static_cast<int>(state.range(0)));
  manual_seed(1);
  const Tensor q = quantize_per_tensor(randn({1, 32, 56, 56}), 0.05, 128, DType::kUInt8),
               w = quantize_per_tensor(randn({32, 32, 3, 3}), 0.05, 0, DType::kInt8);
  for (auto _ : state)
    benchmark::DoNotOptimize(quantized_conv2d(q, w, Tensor(), {1}, {1}, {1}, 1, 0.5, 128));
}
BENCHMARK(Convolution)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sy
