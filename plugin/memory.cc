// Memory of a plugin's device: blocks, what is known of them, and in which order they are freed.

#include <algorithm>

#include "plugin/device.h"
#include "plugin/stream.h"
#include "switchyard/registry/viewed.h"

namespace sy::plugin {
namespace {

constinit std::atomic<uintptr_t> next_number{uintptr_t{1} << kNumberedDataBit};
constexpr uintptr_t kPage = 4096;  // room between blocks, so that an overrun hits none

uintptr_t NumberFor(uint64_t bytes) {
  return next_number.fetch_add((bytes + 2 * kPage - 1) & ~(kPage - 1), std::memory_order_relaxed);
}

}  // namespace

SyBuffer Device::AllocateTrimming(State& s, uint64_t bytes, uint64_t alignment, void* stream) {
  SyBuffer buffer{};
  buffer.size = sizeof(buffer);
  ErrorText error;
  const uint64_t aligned = std::max(alignment, s.alignment);
  const auto allocate = [&] {
    return Answered(s, fn_.allocate(s.device, bytes, aligned, stream, &buffer, error.abi()), error);
  };
  int32_t code = allocate();
  if (code == SY_E_OUT_OF_MEMORY && fn_.trim != nullptr &&
      Answered(s, fn_.trim(s.device)) == SY_OK) {
    code = allocate();
  }
  if (code == SY_OK && buffer.handle == nullptr && (s.capabilities & SY_DEVICE_ADDRESSES) != 0) {
    Fail(ErrorCode::kInternal,
         {name_, ": plugin '", plugin(), "' says that it has ", bytes, " bytes, at address 0"});
  }
  if (code != SY_OK) {
    FailAbi(code, error.text(),
            Join({name_, ": ", bytes, " bytes cannot be allocated, ", live_bytes(), " bytes in ",
                  live_blocks(), " blocks are alive"}));
  }
  return buffer;
}

SyBuffer Device::AllocateRaw(State& s, uint64_t bytes, uint64_t alignment, void* stream) {
  live_blocks_.fetch_add(1, std::memory_order_seq_cst);
  try {
    return AllocateTrimming(s, bytes, alignment, stream);
  } catch (...) {
    live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
    throw;
  }
}

void Device::FreeRaw(State& s, const SyBuffer& buffer, void* stream) noexcept {
  fn_.free(s.device, &buffer, stream);
  live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
}

uintptr_t Device::Enter(Block& block, const State& s) {
  const bool addresses = (s.capabilities & SY_DEVICE_ADDRESSES) != 0;
  const uintptr_t address =
      addresses ? reinterpret_cast<uintptr_t>(block.buffer.handle) : NumberFor(block.bytes);
  std::lock_guard lock(blocks_mutex_);
  blocks_.emplace(address, &block);
  return address;
}

void Device::CountAllocated(State& s, int64_t bytes) {
  live_blocks_.fetch_add(1, std::memory_order_seq_cst);
  live_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const int64_t now = s.allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t peak = s.peak.load(std::memory_order_relaxed);
  while (now > peak && !s.peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  s.allocations.fetch_add(1, std::memory_order_relaxed);
}

void Device::KeepQueue(Block& block, const State& s, Queue* queue) {
  if (queue == s.default_queue) return;  // it lives as long as the device
  queue->Retain();
  block.queue = queue;
}

Allocation Device::Allocate(const AllocationRequest& request) {
  const CallScope scope(slot_);
  const int index = request.device_index;
  State& s = Opened(index);
  Queue* queue =
      request.stream == nullptr ? CurrentQueue(s, index) : static_cast<Queue*>(request.stream);
  void* stream = queue == nullptr ? nullptr : queue->native();
  auto block = std::make_unique<Block>();
  block->buffer = AllocateTrimming(s, request.bytes, request.alignment, stream);
  block->index = index;
  block->bytes = request.bytes;
  uintptr_t address;
  try {
    address = Enter(*block, s);
  } catch (...) {
    fn_.free(s.device, &block->buffer, stream);
    throw;
  }
  KeepQueue(*block, s, queue);
  CountAllocated(s, static_cast<int64_t>(request.bytes));
  return {reinterpret_cast<void*>(address), block.release()};
}

// In the order of its stream, after what other streams do with it.
void Device::FreeBuffer(State& s, Block& block) noexcept {
  void* stream = block.queue == nullptr ? s.stream : block.queue->native();
  for (Queue* q : block.used_by) {
    if (block.on_free || !OrderAfter(s, stream, q->native())) q->WaitQuietly(s);
    q->Release();
  }
  if (block.on_free) {  // who gets it back knows nothing of our streams
    Queue* queue = block.queue == nullptr ? s.default_queue : block.queue;
    if (queue != nullptr) queue->WaitQuietly(s);
    block.on_free();
  } else {
    fn_.free(s.device, &block.buffer, stream);
  }
  if (block.queue != nullptr) block.queue->Release();
}

bool Device::OrderAfter(State& s, void* stream, void* other) noexcept {
  if (s.lost.load(std::memory_order_acquire)) return true;
  try {
    void* event = TakeEvent(s, false);
    const bool ordered = Answered(s, fn_.event_record(s.device, event, other)) == SY_OK &&
                         Answered(s, fn_.event_wait(s.device, event, stream)) == SY_OK;
    GiveEvent(s, event, false);
    return ordered;
  } catch (...) {  // no event to be had, or no memory to say why
    return false;
  }
}

void Device::Free(const Allocation& allocation, size_t) noexcept {
  auto* block = static_cast<Block*>(allocation.context);
  State* s = Find(block->index);
  // In the child of a fork the memory is the parent's.
  if (Forked() && (s->capabilities & SY_DEVICE_FORK_SAFE) == 0) return;
  {
    std::lock_guard lock(blocks_mutex_);
    const auto [first, last] = blocks_.equal_range(reinterpret_cast<uintptr_t>(allocation.data));
    blocks_.erase(std::find_if(first, last, [&](const auto& b) { return b.second == block; }));
  }
  const int64_t bytes = static_cast<int64_t>(block->bytes);
  FreeBuffer(*s, *block);
  s->allocated.fetch_sub(bytes, std::memory_order_relaxed);
  s->frees.fetch_add(1, std::memory_order_relaxed);
  live_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  delete block;
  // Last: as long as a block is alive the plugin stays.
  live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
}

void Device::RecordStream(const Allocation& allocation, StreamHandle stream) {
  auto* block = static_cast<Block*>(allocation.context);
  auto* queue = static_cast<Queue*>(stream);
  State* s = Find(block->index);
  if (queue->device() != sy::Device{FindDeviceType(name_), static_cast<int16_t>(block->index)}) {
    Fail(ErrorCode::kInvalidArgument,
         {"memory of ", NameOf(block->index), " is not used on a stream of another device"});
  }
  if (queue == (block->queue == nullptr ? s->default_queue : block->queue)) return;
  std::lock_guard lock(s->mutex);
  auto& used = block->used_by;
  if (std::find(used.begin(), used.end(), queue) != used.end()) return;
  used.push_back(queue);
  queue->Retain();
}

// --- Memory that is shared with others ---

DeviceBackend::Adopted Device::Adopt(void* handle, size_t bytes, int index,
                                     std::function<void()> on_free) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  auto block = std::make_unique<Block>();
  block->buffer = {sizeof(SyBuffer), 0, handle, bytes, nullptr};
  block->index = index;
  block->bytes = bytes;
  block->on_free = std::move(on_free);
  const uintptr_t address = Enter(*block, s);
  KeepQueue(*block, s, CurrentQueue(s, index));
  CountAllocated(s, static_cast<int64_t>(bytes));
  return {this, {reinterpret_cast<void*>(address), block.release()}};
}

bool Device::is_lent(const Allocation& allocation) const {
  return static_cast<const Block*>(allocation.context)->on_free != nullptr;
}

Device::Place Device::FindBlock(const void* address) const {
  const auto a = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(blocks_mutex_);
  // Usually the one that begins last before it; adopted ones may lie inside others.
  for (auto it = blocks_.upper_bound(a); it != blocks_.begin();) {
    --it;
    if (a - it->first < std::max<uint64_t>(it->second->bytes, 1))
      return {it->second->buffer, a - it->first, it->second->index};
  }
  Fail(ErrorCode::kInternal, {"device '", name_, "': an address that is in none of its blocks"});
}

void* Device::HandleOf(void* address, size_t* offset) {
  const Place p = FindBlock(address);
  *offset = p.offset;
  return p.buffer.handle;
}

void* Device::HostAddress(void* address) {
  constexpr uint32_t kBoth = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE;
  const State* s = Find(FindBlock(address).index);
  return s != nullptr && (s->capabilities & kBoth) == kBoth ? address : nullptr;
}

// --- Statistics ---

MemoryStats Device::Stats(int index) const {
  const CallScope scope(slot_);
  if (!open_.load(std::memory_order_acquire) || index < 0 || index >= kMaxIndex) return {};
  State* s = Find(index);
  if (s == nullptr) return {};
  SyMemoryStats m{};
  m.size = sizeof(m);
  if (fn_.memory_stats != nullptr && !s->lost.load(std::memory_order_acquire) &&
      Answered(*s, fn_.memory_stats(s->device, &m)) == SY_OK) {
    const auto allocated = static_cast<int64_t>(m.allocated_bytes);
    return {.allocated_bytes = allocated,
            .peak_bytes = static_cast<int64_t>(m.peak_bytes),
            .reserved_bytes = allocated + static_cast<int64_t>(m.cached_bytes),
            .allocations = static_cast<int64_t>(m.allocations),
            .frees = static_cast<int64_t>(m.frees)};
  }
  const int64_t allocated = s->allocated.load(std::memory_order_relaxed);
  return {.allocated_bytes = allocated,
          .peak_bytes = s->peak.load(std::memory_order_relaxed),
          .reserved_bytes = allocated,
          .allocations = s->allocations.load(std::memory_order_relaxed),
          .frees = s->frees.load(std::memory_order_relaxed)};
}

void Device::ResetPeak(int index) {
  if (index < 0 || index >= kMaxIndex) return;
  State* s = states_[index].load(std::memory_order_acquire);
  if (s != nullptr) s->peak.store(s->allocated.load(std::memory_order_relaxed));
}

void Device::Trim() {
  const CallScope scope(slot_);
  if (Unusable() || fn_.trim == nullptr) return;
  for (auto& slot : usable_) {
    if (State* s = slot.load(std::memory_order_acquire)) Answered(*s, fn_.trim(s->device));
  }
}

}  // namespace sy::plugin
