// Who wants to know of a device's work: a profiler, which asks how long each piece takes, the
// memory's history, which asks whose memory is, tools that show ranges (NVTX).
//
//   Observation& o = ObservationOf(device);     // from here on work is told
//   o.StartTiming();  …;  auto timed = o.StopTiming();
//
// Pieces are timed by two of the driver's events each, so that queued work is not waited for; what
// runs beside other streams' work is timed all the same, and events take some time themselves. What
// a graph captures is not timed; its replay is one piece.
// Owns: events, until they have been asked. Threads: any.
// Errors: StopTiming throws what queued work has failed with.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_OBSERVATION_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_OBSERVATION_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "switchyard/core/device_backend.h"

namespace sy::cuda {

class CudaStream;
class DeviceState;
class MemoryHistoryKeeper;

class Observation {
 public:
  explicit Observation(DeviceState& device);
  ~Observation();

  // Around a piece of work that a thread queues (Launching in runtime/stream.h): after Launching,
  // with what it returned, either Launched, or Refused where nothing was queued.
  uint64_t Launching(CudaStream& stream, std::string_view op);
  void Launched(CudaStream& stream, uint64_t piece);
  void Refused(uint64_t piece) noexcept;

  void StartTiming();
  std::vector<DeviceBackend::TimedWork> StopTiming();
  MemoryHistoryKeeper& memory() { return *memory_; }

 private:
  struct Piece {
    uint64_t number;
    std::string_view op;
    CudaStream* stream;
    CUevent begin, end;  // end: null until it is queued
  };
  CUevent Record(CudaStream& stream);
  std::vector<Piece>::iterator Find(uint64_t piece);

  DeviceState& device_;
  const bool ranges_;
  std::atomic<bool> timing_{false};
  std::mutex mutex_;
  CUevent zero_ = nullptr;  // when timing began
  int64_t zero_ns_ = 0;
  uint64_t last_piece_ = 0;
  std::vector<Piece> pieces_;
  const std::unique_ptr<MemoryHistoryKeeper> memory_;
};

// Made, and told from then on, at the first call.
Observation& ObservationOf(DeviceState& device);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_OBSERVATION_H_
