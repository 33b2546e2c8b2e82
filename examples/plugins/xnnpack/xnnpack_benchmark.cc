// The networks of networks.h on xnnpack and on cpu, in one process, each with all processors, or
// with as many threads as THREADS says.
//
//   THREADS=1 build/xnnpack_benchmark --benchmark_repetitions=15

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "networks.h"
#include "plugin_path.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/plugin/load.h"

namespace {

using sy::Tensor;

Tensor To(const Tensor& t, sy::Device device) {
  return sy::to(t, std::nullopt, std::nullopt, device);
}

void Register(const char* name, std::function<Tensor()> run) {
  benchmark::RegisterBenchmark(name,
                               [run = std::move(run)](benchmark::State& state) {
                                 for (auto _ : state) benchmark::DoNotOptimize(run());
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  sy::load_plugin(xnnpack::PluginPath());
  sy::SetFallbackPolicy({.mode = sy::FallbackMode::kAllow});
  const sy::Device device = sy::ParseDevice("xnnpack");
  if (const char* threads = std::getenv("THREADS")) {
    sy::SetNumThreads(std::atoi(threads));
    sy::SetDeviceOption(device, "threads", threads);
  }

  const networks::ConvNet net, net_there = net.On(device),
                               net_unfrozen = net.On(device, /*frozen=*/false);
  const Tensor image = sy::randn({1, 3, 96, 96});
  const Tensor last = sy::contiguous(image, sy::MemoryFormat::kChannelsLast);
  const Tensor image_there = To(image, device), last_there = To(last, device);
  const networks::QuantizedNet quantized(net, image, device);
  Register("convnet/float32/cpu/row_major", [&] { return net(image); });
  Register("convnet/float32/cpu/channels_last", [&] { return net(last); });
  Register("convnet/float32/xnnpack/row_major", [&] { return net_there(image_there); });
  Register("convnet/float32/xnnpack/channels_last", [&] { return net_there(last_there); });
  Register("convnet/float32/xnnpack/channels_last/not_frozen",
           [&] { return net_unfrozen(last_there); });
  Register("convnet/int8/xnnpack/channels_last", [&] { return quantized(last_there); });

  const networks::EncoderLayer layer, layer_there = layer.On(device),
                                      layer_unfrozen = layer.On(device, /*frozen=*/false);
  const Tensor x = sy::randn({128, 384}), x_there = To(x, device);
  Register("encoder_layer/float32/cpu", [&] { return layer(x); });
  Register("encoder_layer/float32/xnnpack", [&] { return layer_there(x_there); });
  Register("encoder_layer/float32/xnnpack/not_frozen", [&] { return layer_unfrozen(x_there); });

  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  sy::ResetFallbackCounts();
  layer_there(x_there);
  for (const sy::FallbackCount& c : sy::FallbackCounts())
    std::printf("encoder_layer: %s fell back %lld times, %lld bytes copied\n", c.op.c_str(),
                static_cast<long long>(c.calls), static_cast<long long>(c.bytes));
  return 0;
}
