// What a call costs the host besides the driver's part: on the emulator, whose launch does nothing
// here; on a device, where there is one, with it.

#include <benchmark/benchmark.h>

#include "backends/cuda/device/args.h"
#include "backends/cuda/driver/driver.h"
#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/runtime/stream.h"
#include "switchyard/backends/cuda/graph.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/ops.h"

namespace sy::cuda {
namespace {

CUresult LaunchNothing(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, CUstream, void**, void**) {
  return CUDA_SUCCESS;
}
CUresult LaunchNoGraph(CUgraphExec, CUstream) { return CUDA_SUCCESS; }

Device Gpu() {
  static const bool ready = [] {
    if (FindDriver() != nullptr) return true;
    static DriverTable table = EmulatedDriver();
    table.LaunchKernel = LaunchNothing;
    table.GraphLaunch = LaunchNoGraph;
    EmulateCuda(table);
    return true;
  }();
  return ready ? ParseDevice("cuda:0") : Device{};
}
Tensor OnGpu(std::initializer_list<int64_t> sizes) {
  return Tensor::Empty({sizes.begin(), sizes.size()}, DType::kFloat32, Gpu());
}

void Run(benchmark::State& state, auto body) {
  for (int i = 0; i < 100; ++i) body();
  for (auto _ : state) body();
  Synchronize(Gpu());
}

// The driver alone: what no call can be cheaper than.
void BareLaunch(benchmark::State& state) {
  Gpu();
  DeviceState& device = DeviceState::Of(0);
  static constexpr char kKind = 0;
  const CUfunction kernel = FindKernel(device, {&kKind, {}}, [] {
    return std::string(
        "#include \"switchyard/backends/cuda/device/grid.h\"\n"
        "namespace sy::cuda {\nSY_CUDA_KERNEL(k, StartArgs, )\n}\n");
  });
  StartArgs args{};
  void* params[] = {&args};
  const CUstream stream = device.default_stream().handle();
  Run(state, [&] {
    Check(Driver().LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, params, nullptr), "launch");
  });
}
void SetContext(benchmark::State& state) {
  Gpu();
  Run(state, [&device = DeviceState::Of(0)] { const InUse on = device.Use(); });
}

void Add(benchmark::State& state) {
  Run(state, [a = OnGpu({1}), b = OnGpu({1})] { add(a, b); });
}
void AddInPlace(benchmark::State& state) {
  Run(state, [a = OnGpu({1}), b = OnGpu({1})]() mutable { add_(a, b); });
}
void AddStrided(benchmark::State& state) {
  Run(state, [a = OnGpu({8, 8}), b = transpose(OnGpu({8, 8}), 0, 1)] { add(a, b); });
}
void Sum(benchmark::State& state) {
  Run(state, [a = OnGpu({8, 8})] { sum(a); });
}
void Softmax(benchmark::State& state) {
  Run(state, [a = OnGpu({8, 8})] { softmax(a, 1); });
}
void Allocate(benchmark::State& state) {
  Run(state, [] { OnGpu({1}); });
}
void Replay(benchmark::State& state) {
  Tensor a = OnGpu({1}), b = OnGpu({1});
  const Graph graph(Gpu(), [&] {
    for (int i = 0; i < 10; ++i) add_(a, b);
  });
  Run(state, [&graph] { graph.Replay(); });
}
BENCHMARK(BareLaunch);
BENCHMARK(SetContext);
BENCHMARK(Allocate);
BENCHMARK(Add);
BENCHMARK(AddInPlace);
BENCHMARK(AddStrided);
BENCHMARK(Sum);
BENCHMARK(Softmax);
BENCHMARK(Replay);

}  // namespace
}  // namespace sy::cuda
