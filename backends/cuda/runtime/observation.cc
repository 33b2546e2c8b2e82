#include "backends/cuda/runtime/observation.h"

#include <absl/cleanup/cleanup.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <string>

#include "backends/cuda/driver/switches.h"
#include "backends/cuda/runtime/memory_history.h"
#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Observation::Observation(DeviceState& device)
    : device_(device),
      ranges_(SwitchedOn("SWITCHYARD_CUDA_NVTX")),
      memory_(std::make_unique<MemoryHistoryKeeper>()) {}
Observation::~Observation() = default;

Observation& ObservationOf(DeviceState& device) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  std::atomic<Observation*>& all = device.observation();
  if (all.load(std::memory_order_acquire) == nullptr)
    all.store(new Observation(device), std::memory_order_release);
  return *all.load(std::memory_order_relaxed);
}

// Null where the driver refuses.
CUevent Observation::Record(CudaStream& stream) {
  const InUse on = device_.Use();
  CUevent event = nullptr;
  if (Driver().EventCreate(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) return nullptr;
  if (Driver().EventRecord(event, stream.handle()) == CUDA_SUCCESS) return event;
  Driver().EventDestroy(event);
  return nullptr;
}

void Observation::Launching(CudaStream& stream, std::string_view op) {
  if (ranges_) nvtxRangePushA(op.data());  // a NUL follows it
  memory_->Launching(op);
  if (!timing_.load(std::memory_order_relaxed) || stream.IsCaptured()) return;
  const CUevent begin = Record(stream);
  if (begin == nullptr) return;
  std::lock_guard lock(mutex_);
  pieces_.push_back({op, &stream, begin, nullptr});
}

void Observation::Launched(CudaStream& stream) {
  if (ranges_) nvtxRangePop();
  if (!timing_.load(std::memory_order_relaxed) || stream.IsCaptured()) return;
  const CUevent end = Record(stream);
  std::lock_guard lock(mutex_);
  // The stream's last one that has begun.
  for (size_t i = pieces_.size(); i-- > 0;) {
    Piece& p = pieces_[i];
    if (p.stream != &stream) continue;
    if (p.end == nullptr) {
      p.end = end;
      return;
    }
    break;
  }
  if (end != nullptr) Driver().EventDestroy(end);  // it began before timing did
}

void Observation::StartTiming() {
  const InUse on = device_.Use();
  std::lock_guard lock(mutex_);
  if (timing_.load(std::memory_order_relaxed)) return;
  CudaStream& stream = device_.default_stream();
  stream.RequireNoCapture("timing the work");
  // The device's clock is read beside the host's where nothing is queued.
  if (zero_ != nullptr) Driver().EventDestroy(zero_);
  Check(Driver().EventCreate(&zero_, CU_EVENT_DEFAULT), "making an event");
  stream.Check(Driver().StreamSynchronize(stream.handle()));
  stream.Check(Driver().EventRecord(zero_, stream.handle()), "recording an event");
  stream.Check(Driver().EventSynchronize(zero_));
  zero_ns_ = Now();
  timing_.store(true, std::memory_order_relaxed);
}

std::vector<DeviceBackend::TimedWork> Observation::StopTiming() {
  timing_.store(false, std::memory_order_relaxed);
  const InUse on = device_.Use();
  std::vector<Piece> pieces;
  {
    std::lock_guard lock(mutex_);
    pieces.swap(pieces_);
  }
  const absl::Cleanup destroy = [&pieces] {
    for (const Piece& p : pieces) {
      Driver().EventDestroy(p.begin);
      if (p.end != nullptr) Driver().EventDestroy(p.end);
    }
  };
  std::vector<DeviceBackend::TimedWork> timed;
  for (const Piece& p : pieces) {
    if (p.end == nullptr) continue;
    float begin_ms = 0, ms = 0;
    p.stream->Check(Driver().EventSynchronize(p.end));
    Check(Driver().EventElapsedTime(&begin_ms, zero_, p.begin), "the time between two events");
    Check(Driver().EventElapsedTime(&ms, p.begin, p.end), "the time between two events");
    const int64_t begin = zero_ns_ + static_cast<int64_t>(static_cast<double>(begin_ms) * 1e6);
    const auto took = static_cast<int64_t>(static_cast<double>(ms) * 1e6);
    timed.push_back(
        {std::string(p.op), begin, begin + took, reinterpret_cast<uintptr_t>(p.stream)});
  }
  return timed;
}

}  // namespace sy::cuda
