// What a call of a plugin's kernel costs over one of a kernel in the tree: kernels that do nothing,
// two tensor arguments and a given output, as of add. Budget: 10 ns.
//
//   bazel run //plugin:plugin_benchmark

#include <benchmark/benchmark.h>

#include "switchyard/dispatcher/handle.h"
#include "switchyard/plugin/testing.h"
#include "switchyard/registry/operator.h"

namespace {

using namespace sy;

void TwoRule(Rule& r, const Meta& a, const Meta&) { r.OutputLike(a); }
const Operator two{"bench::two(Tensor a, Tensor b) -> Tensor", TwoRule, kOut};

void Nothing(Call, const Tensor&, const Tensor&, const Tensor&) {}
const Kernel in_tree{"bench::two", "cpu", Bit(DType::kFloat32), Nothing};
void NothingBoxed(const BoxedCall&) {}
const Kernel boxed{"bench::two", "cpu", Bit(DType::kInt32), NothingBoxed};

constinit Handle<void(const Tensor&, const Tensor&, const Tensor&)> two_out{"bench::two.out"};

void Run(benchmark::State& state, DType dtype) {
  const Tensor a = Tensor::Empty({4}, dtype), b = Tensor::Empty({4}, dtype);
  const Tensor out = Tensor::Empty({4}, dtype);
  for (auto _ : state) two_out(a, b, out);
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
