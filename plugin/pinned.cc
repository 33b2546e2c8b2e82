#include "plugin/pinned.h"

#include <algorithm>
#include <cstdlib>

#include "plugin/stream.h"
#include "switchyard/core/pool.h"

namespace sy::plugin {

Allocation PinnedMemory::Allocate(const AllocationRequest& request) {
  constexpr size_t kPage = 4096;  // of x86-64
  const CallScope scope(owner_.slot());
  Device::State& s = owner_.Opened(request.device_index);
  Reclaim(false);
  const SyDeviceFunctions& fn = owner_.functions();
  auto block = std::make_unique<Block>();
  block->index = request.device_index;
  block->bytes = static_cast<int64_t>(request.bytes);
  if (fn.host_allocate != nullptr) {
    ErrorText error;
    Check(fn.host_allocate(s.device, request.bytes, &block->memory, error.abi()), error,
          {owner_.NameOf(request.device_index), ": ", request.bytes, " bytes of pinned memory"});
  } else {
    block->memory = sy::internal::SystemAllocate(request.bytes, kPage);
  }
  owner_.CountBlocks(1);
  std::lock_guard lock(mutex_);
  stats_.allocated_bytes += block->bytes;
  stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.allocated_bytes);
  ++stats_.allocations;
  return {block->memory, block.release()};
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
  if (owner_.functions().event_record(s.device, event, stream->native()) != SY_OK) {
    owner_.GiveEvent(s, event, false);
    return stream->Synchronize();
  }
  std::lock_guard lock(mutex_);
  block->events.push_back(event);
}

bool PinnedMemory::IsDone(Device::State& s, Block& block, bool wait) noexcept {
  const SyDeviceFunctions& fn = owner_.functions();
  std::erase_if(block.events, [&](void* event) {
    SyAsyncError ignored{};  // kept by the stream
    ignored.size = sizeof(ignored);
    if (wait) fn.event_synchronize(s.device, event, &ignored);
    const bool done = wait || fn.event_query(s.device, event) != SY_E_NOT_READY;
    if (done) owner_.GiveEvent(s, event, false);
    return done;
  });
  return block.events.empty();
}

void PinnedMemory::Release(Device::State& s, Block* block) noexcept {
  const SyDeviceFunctions& fn = owner_.functions();
  if (fn.host_allocate != nullptr) {
    fn.host_free(s.device, block->memory);
  } else {
    std::free(block->memory);
  }
  delete block;
  owner_.CountBlocks(-1);
}

void PinnedMemory::Free(const Allocation& allocation, size_t) noexcept {
  auto* block = static_cast<Block*>(allocation.context);
  Device::State& s = *owner_.Find(block->index);  // there: the block keeps the plugin
  if (Forked()) return;
  {
    std::lock_guard lock(mutex_);
    stats_.allocated_bytes -= block->bytes;
    ++stats_.frees;
    if (!IsDone(s, *block, false)) return waiting_.push_back(block);
  }
  Release(s, block);
}

void PinnedMemory::Reclaim(bool wait) noexcept {
  if (Forked()) return;
  std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](Block* block) {
    Device::State& s = *owner_.Find(block->index);
    const bool done = IsDone(s, *block, wait);
    if (done) Release(s, block);
    return done;
  });
}

void PinnedMemory::Settle() { Reclaim(true); }

MemoryStats PinnedMemory::Stats(int) const {
  std::lock_guard lock(mutex_);
  MemoryStats s = stats_;
  s.reserved_bytes = s.allocated_bytes;
  return s;
}

Allocator* Device::pinned_allocator() {
  const bool offered = fn_.host_allocate != nullptr || fn_.stream_create != nullptr;
  return offered ? pinned_.get() : nullptr;
}

}  // namespace sy::plugin
