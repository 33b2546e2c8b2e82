// Times of neural networks' layers; items are elements of the input, or multiplications.

#include <benchmark/benchmark.h>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// f(input); range(0): 0 float32, 1 bfloat16.
template <class F>
void Run(benchmark::State& state, IntSpan sizes, int64_t items, F f) {
  SetNumThreads(1);
  const Tensor x = to(randn(sizes), state.range(0) == 0 ? DType::kFloat32 : DType::kBFloat16);
  for (auto _ : state) benchmark::DoNotOptimize(f(x).data());
  state.SetItemsProcessed(state.iterations() * items);
}

void SoftmaxRows(benchmark::State& state) {
  Run(state, std::array<int64_t, 2>{2048, 1024}, 2048 * 1024,
      [](const Tensor& x) { return softmax(x, 1); });
}
void SoftmaxColumns(benchmark::State& state) {
  Run(state, std::array<int64_t, 2>{2048, 1024}, 2048 * 1024,
      [](const Tensor& x) { return softmax(x, 0); });
}
void LayerNorm(benchmark::State& state) {
  Run(state, std::array<int64_t, 2>{2048, 1024}, 2048 * 1024,
      [w = ones({1024}), b = zeros({1024})](const Tensor& x) {
        return layer_norm(x, {1024}, to(w, x.dtype()), to(b, x.dtype()));
      });
}
void Attention(benchmark::State& state) {
  Run(state, std::array<int64_t, 4>{1, 12, 512, 64}, int64_t{12} * 512 * 512 * 64 * 2,
      [](const Tensor& x) { return scaled_dot_product_attention(x, x, x); });
}
void Convolution(benchmark::State& state) {
  Run(state, std::array<int64_t, 4>{4, 64, 56, 56}, int64_t{4} * 56 * 56 * 64 * 64 * 9,
      [w = randn({64, 64, 3, 3})](const Tensor& x) {
        return conv2d(x, to(w, x.dtype()), {}, {1, 1}, {1, 1});
      });
}
void MaxPool(benchmark::State& state) {
  Run(state, std::array<int64_t, 4>{4, 64, 56, 56}, int64_t{4} * 64 * 56 * 56, [](const Tensor& x) {
    return max_pool2d(x, {2, 2});
  });
}
void BatchNorm(benchmark::State& state) {
  Run(state, std::array<int64_t, 4>{4, 64, 56, 56}, int64_t{4} * 64 * 56 * 56,
      [v = ones({64})](const Tensor& x) {
        const Tensor one = to(v, x.dtype());
        return batch_norm(x, one, one, one, one, false, 0.1, 1e-5, false);
      });
}

BENCHMARK(SoftmaxRows)->Arg(0)->Arg(1);
BENCHMARK(SoftmaxColumns)->Arg(0)->Arg(1);
BENCHMARK(LayerNorm)->Arg(0)->Arg(1);
BENCHMARK(Attention)->Arg(0)->Arg(1);
BENCHMARK(Convolution)->Arg(0)->Arg(1);
BENCHMARK(MaxPool)->Arg(0)->Arg(1);
BENCHMARK(BatchNorm)->Arg(0)->Arg(1);

}  // namespace
}  // namespace sy
