#include "backends/cuda/engine/counters.h"

#include <memory>

#include "backends/cuda/runtime/capture.h"

namespace sy::cuda {
namespace {

// A graph's, for what it has of one stream: of their own memory, since what is freed of a graph's
// may serve another graph. Replays of a graph run one after another.
class Captured final : public BeforeReplay {
 public:
  explicit Captured(DeviceState& device)
      : device_(device), counters_(device.TakeZeros(kCounters * sizeof(unsigned))) {}
  ~Captured() override { device_.GiveBackZeros(counters_); }

  unsigned* counters() const { return static_cast<unsigned*>(counters_); }
  void Run(CudaStream&) override {}  // each launch leaves them as it found them

 private:
  DeviceState& device_;
  void* const counters_;
};

}  // namespace

unsigned* CountersOf(CudaStream& stream) {
  if (stream.handle() == CU_STREAM_PER_THREAD) return nullptr;  // a stream for each thread
  Capture* const capture = stream.capture();
  if (capture == nullptr) return stream.IsCaptured() ? nullptr : stream.counters();
  std::unique_ptr<BeforeReplay>& action = capture->Action(&stream);
  if (action == nullptr) action = std::make_unique<Captured>(stream.state());
  return static_cast<const Captured&>(*action).counters();
}

}  // namespace sy::cuda
