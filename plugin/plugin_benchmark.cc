// What a call of a plugin's kernel costs over one of a kernel in the tree: kernels that do nothing,
// two tensor arguments and a given output, as of add. Budget: 10 ns. And what tensors of a plugin's
// device cost beside those of cpu: empty(4), 40 ns at most, a functional call, 1.5 times cpu's at
// most, and one in place.
//
//   bazel run //plugin:plugin_benchmark

#include <benchmark/benchmark.h>

#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/plugin/testing.h"

namespace {

using namespace sy;

void TwoShape(ShapeContext& r, const TensorBase& a, const TensorBase&) {
  r.OutputLike(a).pointwise = true;  // so that it is written in place
}
const Operator two{"bench::two(Tensor a, Tensor b) -> Tensor", TwoShape, kInPlace | kOut};

void Nothing(Call, const Tensor&, const Tensor&, const Tensor&) {}
const Kernel in_tree{"bench::two", "cpu", Bit(DType::kFloat32), Nothing};
void NothingBoxed(const BoxedCall&) {}
const Kernel boxed{"bench::two", "cpu", Bit(DType::kInt32), NothingBoxed};

constinit Handle<void(const Tensor&, const Tensor&, const Tensor&)> two_out{"bench::two.out"};

constinit Handle<Tensor(const Tensor&, const Tensor&)> two_new{"bench::two"};
constinit Handle<void(const Tensor&, const Tensor&)> two_in_place{"bench::two_"};

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

// On cpu, or on the plugin's device.
template <class F>
void On(benchmark::State& state, F f) {
  const bool plugin = state.range(0) != 0;
  if (plugin) load_plugin(testing::PluginPath("empty"));
  f(plugin ? ParseDevice("malloc:0") : Device{kHost});
  if (plugin) unload_plugin("empty");
}
void Empty4(benchmark::State& state) {
  On(state, [&](Device d) {
    for (auto _ : state) benchmark::DoNotOptimize(Tensor::Empty({4}, DType::kFloat32, d));
  });
}
void Functional(benchmark::State& state) {
  On(state, [&](Device d) {
    const Tensor a = Tensor::Empty({4}, DType::kFloat32, d), b = a;
    for (auto _ : state) benchmark::DoNotOptimize(two_new(a, b));
  });
}
void InPlace(benchmark::State& state) {
  On(state, [&](Device d) {
    const Tensor a = Tensor::Empty({4}, DType::kFloat32, d);
    const Tensor b = Tensor::Empty({4}, DType::kFloat32, d);
    for (auto _ : state) two_in_place(a, b);
  });
}
BENCHMARK(Empty4)->ArgName("plugin")->Arg(0)->Arg(1);
BENCHMARK(Functional)->ArgName("plugin")->Arg(0)->Arg(1);
BENCHMARK(InPlace)->ArgName("plugin")->Arg(0)->Arg(1);
BENCHMARK(InTree);
BENCHMARK(InTreeBoxed);
BENCHMARK(Plugin);
BENCHMARK(PluginWrapped);

}  // namespace
