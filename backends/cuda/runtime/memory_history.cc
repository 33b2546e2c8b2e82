#include "backends/cuda/runtime/memory_history.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/runtime/observation.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Of this thread: what it is called that it allocates, and what it has allocated without a name.
struct Thread {
  std::string owners;  // with a '/' behind each
  std::vector<std::pair<const MemoryHistoryKeeper*, uint64_t>> unnamed;
};
Thread& This() {
  thread_local Thread thread;
  return thread;
}

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void MemoryHistoryKeeper::Keep(size_t max_events) {
  std::lock_guard lock(mutex_);
  first_ += events_.size();
  events_.clear();
  max_ = max_events;
}

std::vector<MemoryEvent> MemoryHistoryKeeper::Events() const {
  std::lock_guard lock(mutex_);
  return {events_.begin(), events_.end()};
}

void MemoryHistoryKeeper::Note(MemoryEvent::Kind kind, const void* address, size_t bytes,
                               StreamHandle stream) noexcept {
  try {
    std::lock_guard lock(mutex_);
    if (max_ == 0) return;
    const bool allocated = kind == MemoryEvent::kAllocated;
    std::string owner = allocated ? This().owners : "";
    if (!owner.empty()) owner.pop_back();  // the '/'
    events_.push_back({kind, Now(), address, bytes, stream, std::move(owner)});
    if (allocated) This().unnamed.emplace_back(this, first_ + events_.size() - 1);
    if (events_.size() > max_) {
      events_.pop_front();
      ++first_;
    }
  } catch (const std::exception&) {  // no memory: the event is lost
  }
}

void MemoryHistoryKeeper::Launching(std::string_view op) {
  auto& unnamed = This().unnamed;
  if (unnamed.empty()) return;
  std::lock_guard lock(mutex_);
  for (const auto& [keeper, number] : unnamed) {
    if (keeper != this || number < first_ || number - first_ >= events_.size()) continue;
    std::string& owner = events_[number - first_].owner;
    owner += (owner.empty() ? "" : "/") + std::string(op);
  }
  unnamed.clear();
}

MemoryOwner::MemoryOwner(std::string_view name) { This().owners += std::string(name) + "/"; }
MemoryOwner::~MemoryOwner() {
  std::string& owners = This().owners;
  owners.pop_back();
  owners.resize(owners.rfind('/') + 1);  // npos + 1 is 0
}

void RecordMemoryHistory(int device_index, size_t max_events) {
  DeviceState& device = DeviceState::Of(device_index);
  MemoryHistoryKeeper& keeper = ObservationOf(device).memory();
  keeper.Keep(max_events);
  device.memory().SetObserver(max_events == 0 ? nullptr : &keeper);
}

std::vector<MemoryEvent> MemoryHistory(int device_index) {
  DeviceState* device = DeviceState::Opened(device_index);
  if (device == nullptr || !device->observed()) return {};
  return ObservationOf(*device).memory().Events();
}

std::string MemoryHistoryPage(int device_index) {
  return PageOfMemory(MemoryHistory(device_index), fmt::format("cuda:{}", device_index));
}

}  // namespace sy::cuda
