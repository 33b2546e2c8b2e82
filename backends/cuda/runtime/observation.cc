#include "backends/cuda/runtime/observation.h"

#include <absl/cleanup/cleanup.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <iterator>
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
  std::atomic<Observation*>& kept = device.observation();
  if (Observation* there = kept.load(std::memory_order_acquire)) [[likely]]
    return *there;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Observation* there = kept.load(std::memory_order_relaxed);
  if (there == nullptr) {
    there = new Observation(device);
    kept.store(there, std::memory_order_release);
  }
  return *there;
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

// From the last one on. None, where timing has ended meanwhile.
std::vector<Observation::Piece>::iterator Observation::Find(uint64_t piece) {
  const auto found = std::ranges::find(pieces_.rbegin(), pieces_.rend(), piece, &Piece::number);
  return found == pieces_.rend() ? pieces_.end() : std::prev(found.base());
}

// 0: it is not timed.
uint64_t Observation::Launching(CudaStream& stream, std::string_view op) {
  memory_->Launching(op);
  uint64_t piece = 0;
  if (timing_.load(std::memory_order_relaxed) && !stream.IsCaptured()) {
    if (const CUevent begin = Record(stream)) {
      std::lock_guard lock(mutex_);
      piece = ++last_piece_;
      pieces_.push_back({piece, op, &stream, begin, nullptr});
    }
  }
  // Last: where something was thrown nobody will end it.
  if (ranges_) nvtxRangePushA(op.data());  // a NUL follows it
  return piece;
}

void Observation::Launched(CudaStream& stream, uint64_t piece) {
  if (ranges_) nvtxRangePop();
  if (piece == 0 || !timing_.load(std::memory_order_relaxed) || stream.IsCaptured()) return;
  const CUevent end = Record(stream);
  std::lock_guard lock(mutex_);
  if (const auto it = Find(piece); it != pieces_.end()) {
    it->end = end;
  } else if (end != nullptr) {
    Driver().EventDestroy(end);
  }
}

void Observation::Refused(uint64_t piece) noexcept {
  if (ranges_) nvtxRangePop();
  if (piece == 0) return;
  CUevent begin = nullptr;
  {
    std::lock_guard lock(mutex_);
    const auto it = Find(piece);
    if (it == pieces_.end()) return;
    begin = it->begin;
    pieces_.erase(it);
  }
  if (const InUse on = device_.TryUse()) Driver().EventDestroy(begin);
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
