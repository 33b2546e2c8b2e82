// What a call of a plugin's kernel costs over one of a kernel in the tree: kernels that do nothing,
// three tensor arguments and one given output. Budget: 10 ns.
//
//   bazel run //plugin:plugin_benchmark

#include <benchmark/benchmark.h>

#include "switchyard/dispatcher/handle.h"
#include "switchyard/plugin/testing.h"
#include "switchyard/registry/operator.h"

namespace {

using namespace sy;

void ThreeRule(Rule& r, const Meta& a, const Meta&, const Meta&) { r.OutputLike(a); }
const Operator three{"bench::three(Tensor a, Tensor b, Tensor c) -> Tensor", ThreeRule, kOut};

void Nothing(Call, const Tensor&, const Tensor&, const Tensor&, const Tensor&) {}
const Kernel in_tree{"bench::three", "cpu", Bit(DType::kFloat32), Nothing};
void NothingBoxed(const BoxedCall&) {}
const Kernel boxed{"bench::three", "cpu", Bit(DType::kInt32), NothingBoxed};

constinit Handle<void(const Tensor&, const Tensor&, const Tensor&, const Tensor&)> three_out{
    "bench::three.out"};

void Run(benchmark::State& state, DType dtype) {
  const Tensor a = Tensor::Empty({4}, dtype), b = Tensor::Empty({4}, dtype);
  const Tensor c = Tensor::Empty({4}, dtype), out = Tensor::Empty({4}, dtype);
  for (auto _ : state) three_out(a, b, c, out);
}

void InTree(benchmark::State& state) { Run(state, DType::kFloat32); }
void InTreeBoxed(benchmark::State& state) { Run(state, DType::kInt32); }
void Plugin(benchmark::State& state) {
  load_plugin(testing::PluginPath("empty"));
  Run(state, DType::kFloat64);
  unload_plugin("empty");
}
void PluginWrapped(benchmark::State& state) {
  load_plugin(testing::PluginPath("empty"));
  Run(state, DType::kInt64);
  unload_plugin("empty");
}
BENCHMARK(InTree);
BENCHMARK(InTreeBoxed);
BENCHMARK(Plugin);
BENCHMARK(PluginWrapped);

}  // namespace
