#include "plugin/pinned.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "plugin/stream.h"
#include "switchyard/core/pool.h"
#include "switchyard/core/size_class.h"

namespace sy::plugin {

namespace {

size_t PageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

uint64_t PinnedMemory::CapacityFor(uint64_t bytes) { return SizeClass(bytes, PageBytes()); }

PinnedMemory::Block* PinnedMemory::TakeKept(int index, int64_t bytes) {
  std::lock_guard lock(mutex_);
  for (Block** p = &kept_; *p != nullptr; p = &(*p)->next) {
    Block* block = *p;
    if (block->index != index || block->bytes != bytes) continue;
    *p = block->next;
    kept_bytes_ -= bytes;
    return block;
  }
  return nullptr;
}

PinnedMemory::Block* PinnedMemory::NewBlock(Device::State& s, int index, int64_t bytes) {
  const SyDeviceFunctions& fn = owner_.functions();
  auto block = std::make_unique<Block>();
  block->index = index;
  block->bytes = bytes;
  const auto size = static_cast<uint64_t>(bytes);
  if (fn.host_allocate == nullptr) {
    block->memory = sy::internal::SystemAllocate(size, PageBytes());
    return block.release();
  }
  ErrorText error;
  const auto allocate = [&] {
    const int32_t code = fn.host_allocate(s.device, size, &block->memory, error.abi());
    return owner_.Answered(s, code, error);
  };
  int32_t code = allocate();
  if (code == SY_E_OUT_OF_MEMORY) {
    Trim();
    code = allocate();
  }
  Check(code, error, {owner_.NameOf(index), ": ", bytes, " bytes of pinned memory"});
  return block.release();
}

Allocation PinnedMemory::Allocate(const AllocationRequest& request) {
  const CallScope scope(owner_.slot());
  const int index = request.device_index;
  Device::State& s = owner_.Opened(index);
  Reclaim(false);
  if (request.bytes > SIZE_MAX / 2) {
    Fail(ErrorCode::kOutOfMemory,
         {owner_.NameOf(index), ": ", request.bytes, " bytes of pinned memory"});
  }
  const auto bytes = static_cast<int64_t>(CapacityFor(request.bytes));
  Block* block = TakeKept(index, bytes);
  if (block == nullptr) block = NewBlock(s, index, bytes);
  owner_.CountBlocks(1);
  std::lock_guard lock(mutex_);
  stats_.allocated_bytes += bytes;
  stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.allocated_bytes);
  ++stats_.allocations;
  return {block->memory, block};
}

void PinnedMemory::RecordStream(const Allocation& allocation, StreamHandle stream) {
  auto* block = static_cast<Block*>(allocation.context);
  // Another device's stream: it does not know this device's events.
  if (stream->device() != sy::Device{stream->device().type, static_cast<int16_t>(block->index)} ||
      FindBackend(stream->device().type) != &owner_)
    return stream->Synchronize();
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(block->index);
  void* event = owner_.TakeEvent(s, false);
  const int32_t code = owner_.functions().event_record(s.device, event, stream->native());
  if (owner_.Answered(s, code) != SY_OK) {
    owner_.GiveEvent(s, event, false);
    return stream->Synchronize();
  }
  try {
    std::lock_guard lock(mutex_);
    block->events.push_back(event);
  } catch (...) {  // no room to remember it: what it marks is waited for
    owner_.GiveEvent(s, event, false);
    stream->Synchronize();
  }
}

bool PinnedMemory::IsDone(Device::State& s, Block& block, bool wait) noexcept {
  return owner_.HavePassed(s, block.events, wait);
}

void PinnedMemory::KeepOrRelease(Device::State& s, Block* block) noexcept {
  const int64_t most = stats_.peak_bytes - stats_.allocated_bytes - kept_bytes_;
  if (block->bytes > most || s.lost.load(std::memory_order_acquire)) return Release(s, block);
  block->next = std::exchange(kept_, block);
  kept_bytes_ += block->bytes;
}

void PinnedMemory::Release(Device::State& s, Block* block) noexcept {
  const SyDeviceFunctions& fn = owner_.functions();
  if (fn.host_allocate != nullptr) {
    fn.host_free(s.device, block->memory);
  } else {
    std::free(block->memory);
  }
  delete block;
}

void PinnedMemory::ReleaseKept() noexcept {
  while (kept_ != nullptr) {
    Block* block = std::exchange(kept_, kept_->next);
    Release(*owner_.Find(block->index), block);
  }
  kept_bytes_ = 0;
}

void PinnedMemory::Free(const Allocation& allocation, size_t) noexcept {
  auto* block = static_cast<Block*>(allocation.context);
  Device::State& s = *owner_.Find(block->index);  // there: the block keeps the plugin
  if (Forked()) return;
  {
    std::lock_guard lock(mutex_);
    ++stats_.frees;
    if (!IsDone(s, *block, false)) {
      block->next = std::exchange(waiting_, block);
      return;
    }
    stats_.allocated_bytes -= block->bytes;
    KeepOrRelease(s, block);
  }
  owner_.CountBlocks(-1);
}

void PinnedMemory::Reclaim(bool wait) noexcept {
  if (Forked()) return;
  int64_t done = 0;
  {
    std::lock_guard lock(mutex_);
    for (Block** p = &waiting_; *p != nullptr;) {
      Block* block = *p;
      Device::State& s = *owner_.Find(block->index);
      if (!IsDone(s, *block, wait)) {
        p = &block->next;
        continue;
      }
      *p = block->next;
      stats_.allocated_bytes -= block->bytes;
      KeepOrRelease(s, block);
      ++done;
    }
  }
  owner_.CountBlocks(-done);
}

void PinnedMemory::Trim() {
  const CallScope scope(owner_.slot());
  if (Forked()) return;
  Reclaim(false);
  std::lock_guard lock(mutex_);
  ReleaseKept();
}

void PinnedMemory::Settle() { Reclaim(true); }

void PinnedMemory::Close() noexcept {
  std::lock_guard lock(mutex_);
  ReleaseKept();
  stats_ = {};
}

MemoryStats PinnedMemory::Stats(int) const {
  std::lock_guard lock(mutex_);
  MemoryStats s = stats_;
  s.reserved_bytes = s.allocated_bytes + kept_bytes_;
  return s;
}

Allocator* Device::pinned_allocator() {
  return pins_.load(std::memory_order_relaxed) ? pinned_.get() : nullptr;
}

}  // namespace sy::plugin
