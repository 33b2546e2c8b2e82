// Operators of lists, and the same by a loop of calls: 100 tensors of 1,000 elements each.

#include <benchmark/benchmark.h>

#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

List Tensors100() {
  List list;
  for (int i = 0; i < 100; ++i) list.push_back(ones({1000}));
  return list;
}
template <class F>
void Run(benchmark::State& state, F f) {
  SetNumThreads(1);
  for (auto _ : state) f();
  state.SetItemsProcessed(state.iterations() * 100 * 1000);
}

void BM_AddInPlace(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] { _foreach_add_(a, b, 1); });
}
void BM_AddInPlaceByCalls(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] {
    for (size_t i = 0; i < a.size(); ++i) add_(a[i], b[i], 1);
  });
}
void BM_Add(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] { benchmark::DoNotOptimize(_foreach_add(a, b, 1).data()); });
}
void BM_AddByCalls(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] {
    List results;
    for (size_t i = 0; i < a.size(); ++i) results.push_back(add(a[i], b[i], 1));
    benchmark::DoNotOptimize(results.data());
  });
}
void BM_MulNumberInPlace(benchmark::State& state) {
  const List a = Tensors100();
  Run(state, [&] { _foreach_mul_(a, 1.0); });
}
void BM_MulNumberInPlaceByCalls(benchmark::State& state) {
  const List a = Tensors100();
  Run(state, [&] {
    for (const Tensor& t : a) mul_(t, 1.0);
  });
}
void BM_LerpInPlace(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] { _foreach_lerp_(a, b, 0.1); });
}
void BM_LerpInPlaceByCalls(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100();
  Run(state, [&] {
    for (size_t i = 0; i < a.size(); ++i) lerp_(a[i], b[i], 0.1);
  });
}
void BM_AddcdivInPlace(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100(), c = Tensors100();
  Run(state, [&] { _foreach_addcdiv_(a, b, c, 1e-3); });
}
void BM_AddcdivInPlaceByCalls(benchmark::State& state) {
  const List a = Tensors100(), b = Tensors100(), c = Tensors100();
  Run(state, [&] {
    for (size_t i = 0; i < a.size(); ++i) addcdiv_(a[i], b[i], c[i], 1e-3);
  });
}
void BM_Sqrt(benchmark::State& state) {
  const List a = Tensors100();
  Run(state, [&] { benchmark::DoNotOptimize(_foreach_sqrt(a).data()); });
}
void BM_FusedSgd(benchmark::State& state) {
  const List p = Tensors100(), g = Tensors100(), b = Tensors100();
  Run(state, [&] { _fused_sgd_(p, g, b, 0.1, 0.9, 1e-6, 0., false, false, false); });
}
void BM_FusedAdam(benchmark::State& state) {
  const List p = Tensors100(), g = Tensors100(), m = Tensors100(), v = Tensors100();
  const List steps(100, ones(Ints({})));
  Run(state,
      [&] { _fused_adam_(p, g, m, v, {}, steps, 1e-6, 0.9, 0.99, 0.1, 1e-8, false, false); });
}

BENCHMARK(BM_AddInPlace);
BENCHMARK(BM_AddInPlaceByCalls);
BENCHMARK(BM_Add);
BENCHMARK(BM_AddByCalls);
BENCHMARK(BM_MulNumberInPlace);
BENCHMARK(BM_MulNumberInPlaceByCalls);
BENCHMARK(BM_LerpInPlace);
BENCHMARK(BM_LerpInPlaceByCalls);
BENCHMARK(BM_AddcdivInPlace);
BENCHMARK(BM_AddcdivInPlaceByCalls);
BENCHMARK(BM_Sqrt);
BENCHMARK(BM_FusedSgd);
BENCHMARK(BM_FusedAdam);

}  // namespace
}  // namespace sy
