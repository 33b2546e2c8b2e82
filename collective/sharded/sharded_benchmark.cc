// What a call with sharded tensors costs over the same call with usual ones, where nothing has to
// be sent: one rank, small tensors, so that nearly all of it is the layer.
//
//   bazel run //collective/sharded:sharded_benchmark
//
// Argument: 0 for usual tensors, 1 and 2 for sharded ones on a mesh of so many dimensions.

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "switchyard/collective/group.h"
#include "switchyard/collective/sharded/sharded.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::sharded {
namespace {

using Call = std::function<void(const Tensor& x, const Tensor& y, const Tensor& w)>;

// x, y, w: float32[8, 8]; w is a usual one.
void Calls(benchmark::State& state, const Call& call) {
  collective::RunRanks(1, [&](int) {
    const Tensor w = ones({8, 8});
    Tensor x = w, y = ones({8, 8});
    if (state.range(0) != 0) {
      const bool two = state.range(0) == 2;
      const MeshRef mesh =
          two ? MakeMesh("grid", {{"x", 1}, {"y", 1}}) : MakeMesh("line", {{"x", 1}});
      const Placements placements = two ? Placements{Shard(0), Shard(0)} : Placements{Shard(0)};
      x = Distribute(x, mesh, placements);
      y = Distribute(y, mesh, placements);
    }
    for (auto _ : state) call(x, y, w);
  });
}

void Row(const std::string& name, const Call& call) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [call](benchmark::State& state) { Calls(state, call); })
      ->DenseRange(0, 2)
      ->UseRealTime();
}

const bool registered = [] {
  Row("add",
      [](const Tensor& x, const Tensor& y, const Tensor&) { benchmark::DoNotOptimize(add(x, y)); });
  Row("add_", [](const Tensor& x, const Tensor& y, const Tensor&) { add_(x, y); });
  Row("relu",
      [](const Tensor& x, const Tensor&, const Tensor&) { benchmark::DoNotOptimize(relu(x)); });
  Row("sum",
      [](const Tensor& x, const Tensor&, const Tensor&) { benchmark::DoNotOptimize(sum(x, 1)); });
  Row("mm",
      [](const Tensor& x, const Tensor&, const Tensor& w) { benchmark::DoNotOptimize(mm(x, w)); });
  Row("transpose", [](const Tensor& x, const Tensor&, const Tensor&) {
    benchmark::DoNotOptimize(transpose(x, 0, 1));
  });
  Row("softmax", [](const Tensor& x, const Tensor&, const Tensor&) {
    benchmark::DoNotOptimize(call("_softmax", x, 1, false).tensor());
  });
  return true;
}();

}  // namespace
}  // namespace sy::sharded
