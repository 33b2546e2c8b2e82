#include "plugin/device_memory.h"

#include <utility>

namespace sy::plugin {
namespace {

// Held beyond twice what was in use at one time: small programs do not count.
constexpr int64_t kFreely = int64_t{32} << 20;

}  // namespace

void DeviceMemory::Wait(Block& block, bool counted) noexcept {
  std::lock_guard lock(mutex_);
  if (!counted) CountGiven(block.bytes);
  block.in_use.store(false, std::memory_order_relaxed);
  block.next = std::exchange(waiting_, &block);
}

Block* DeviceMemory::TakeWaiting() noexcept {
  std::lock_guard lock(mutex_);
  return std::exchange(waiting_, nullptr);
}

Block* DeviceMemory::TakeKept(KeptBlocks& from) noexcept {
  std::lock_guard lock(mutex_);
  Block* all = nullptr;
  for (Block*& head : from.heads_) {
    while (Block* block = head) {
      head = block->next;
      block->next = std::exchange(all, block);
    }
  }
  return all;
}

void DeviceMemory::EnterWorkspace(Block& block) noexcept {
  std::lock_guard lock(mutex_);
  block.next = std::exchange(workspaces_, &block);
}

Block* DeviceMemory::LeaveWorkspace(const SyBuffer& buffer) noexcept {
  std::lock_guard lock(mutex_);
  for (Block** p = &workspaces_; *p != nullptr; p = &(*p)->next) {
    Block* block = *p;
    if (block->buffer.handle != buffer.handle || block->buffer.context != buffer.context) continue;
    *p = std::exchange(block->next, nullptr);
    return block;
  }
  return nullptr;
}

bool DeviceMemory::Reserve(uint64_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  const auto held = static_cast<uint64_t>(stats_.reserved_bytes);
  const uint64_t most = limit_ == 0 ? uint64_t{INT64_MAX} : limit_;
  if (held > most || bytes > most - held) return false;
  stats_.reserved_bytes += static_cast<int64_t>(bytes);
  return true;
}

void DeviceMemory::Unreserve(uint64_t bytes) noexcept {
  std::lock_guard lock(mutex_);
  stats_.reserved_bytes -= static_cast<int64_t>(bytes);
}

bool DeviceMemory::HoldsMuch(uint64_t bytes) const {
  std::lock_guard lock(mutex_);
  return stats_.reserved_bytes + static_cast<int64_t>(bytes) > 2 * most_ + kFreely;
}

void DeviceMemory::SetLimit(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  limit_ = bytes;
}

uint64_t DeviceMemory::limit() const {
  std::lock_guard lock(mutex_);
  return limit_;
}

int64_t DeviceMemory::in_use() const {
  std::lock_guard lock(mutex_);
  return stats_.allocations - stats_.frees;
}

MemoryStats DeviceMemory::Stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

void DeviceMemory::ResetPeak() {
  std::lock_guard lock(mutex_);
  stats_.peak_bytes = stats_.allocated_bytes;
}

void DeviceMemory::Reset() {
  std::lock_guard lock(mutex_);
  stats_ = {};
  most_ = 0;
}

}  // namespace sy::plugin
