#include "backends/cuda/engine/philox.h"

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/launch.h"
#include "backends/cuda/plan/kernel_source.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/error.h"
#include "switchyard/core/philox_generator.h"

namespace sy::cuda {
namespace {

// What a captured graph draws from one generator.
class Replayed final : public BeforeReplay {
 public:
  Replayed(PhiloxGenerator& generator, Device device)
      : generator_(generator),
        state_(Tensor::Empty({2}, DType::kInt64, device)),
        start_(FindKernel(DeviceState::Of(device.index), {&kKind, {}}, [] {
          return KernelSource("random", "StartArgs", "StartReplay(args)");
        })) {}

  // The first counter, from the one at which a replay starts.
  uint64_t Reserve(uint64_t counters) { return std::exchange(counters_, counters_ + counters); }
  const unsigned long long* state() const {
    return static_cast<const unsigned long long*>(state_.data());
  }

  void Run(CudaStream& stream) override {
    const PhiloxGenerator::Reservation r = generator_.Reserve(counters_);
    StartArgs args{static_cast<unsigned long long*>(state_.data()), r.seed, r.offset};
    LaunchKernel(stream, start_, {1, 1}, &args, "random numbers of a captured graph");
  }

 private:
  static constexpr char kKind = 0;
  PhiloxGenerator& generator_;
  const Tensor state_;
  const CUfunction start_;
  uint64_t counters_ = 0;
};

}  // namespace

PhiloxStart DrawPhilox(Call call, Generator* given, uint64_t counters) {
  const Device device = DeviceOfKey(call.key);
  Generator* g = given == nullptr ? &DefaultGenerator(device) : given;
  auto* philox = dynamic_cast<PhiloxGenerator*>(g);
  if (g->device() != device || philox == nullptr) FailGenerator(call, device, g->device());
  Capture* capture = StreamOf(call.key).capture();
  if (capture == nullptr) {
    if (StreamOf(call.key).IsCaptured()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"random numbers in a graph that others capture: every replay would draw the same; "
            "sy::cuda::Graph draws new ones"});
    }
    const PhiloxGenerator::Reservation r = philox->Reserve(counters);
    return {r.seed, r.offset, nullptr};
  }
  std::unique_ptr<BeforeReplay>& action = capture->Action(philox);
  if (action == nullptr) action = std::make_unique<Replayed>(*philox, device);
  auto& replayed = static_cast<Replayed&>(*action);
  return {0, replayed.Reserve(counters), replayed.state()};
}

}  // namespace sy::cuda
