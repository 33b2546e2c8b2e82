// The engine on operands of 1 to 10^7 elements, against memory's bandwidth.
//
// The reference is a copy with streaming stores, written here, in the same run. bytes_per_second
// counts what an operator must read and write.

#include <benchmark/benchmark.h>

#include <cstring>

#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Filled(IntSpan sizes, DType dtype, double) {
  Tensor t = Tensor::Empty(sizes, dtype);
  std::memset(t.data(), 0, t.nbytes());
  return t;
}

void BM_Add(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Filled({&n, 1}, DType::kFloat32, 1), b = Filled({&n, 1}, DType::kFloat32, 2);
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
void BM_AddMeta(benchmark::State& state) {
  const int64_t n = state.range(0);
  const Tensor a = Tensor::Empty({n}, DType::kFloat32, ParseDevice("meta"));
  for (auto _ : state) benchmark::DoNotOptimize(add(a, a));
}
BENCHMARK(BM_AddMeta)->Arg(1);
BENCHMARK(BM_Add)->Arg(1)->Arg(17)->Arg(1000);

}  // namespace
}  // namespace sy
