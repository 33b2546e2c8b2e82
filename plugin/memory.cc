// Memory of a plugin's device: blocks, what is known of them, and in which order they are freed.

#include <algorithm>
#include <utility>

#include "plugin/device.h"
#include "plugin/stream.h"
#include "switchyard/op/viewed.h"

namespace sy::plugin {
namespace {

constinit std::atomic<uintptr_t> next_number{uintptr_t{1} << kNumberedDataBit};
constexpr uintptr_t kPage = 4096;  // room between blocks, so that an overrun hits none

uintptr_t NumberFor(uint64_t bytes) {
  return next_number.fetch_add((bytes + 2 * kPage - 1) & ~(kPage - 1), std::memory_order_relaxed);
}

}  // namespace

// --- From the driver, and back ---

// At least `bytes`: of the size class *capacity, or, where there is not so much, of none.
SyBuffer Device::AllocateTrimming(State& s, uint64_t bytes, uint64_t* capacity, uint64_t alignment,
                                  void* stream) {
  SyBuffer buffer{};
  buffer.size = sizeof(buffer);
  ErrorText error;
  const uint64_t aligned = std::max(*capacity == 0 ? alignment : kAlignment, s.alignment);
  const auto allocate = [&](uint64_t n) {
    if (!s.memory->Reserve(n)) return static_cast<int32_t>(SY_E_OUT_OF_MEMORY);
    const int32_t code =
        Answered(s, fn_.allocate(s.device, n, aligned, stream, &buffer, error.abi()), error);
    if (code != SY_OK) s.memory->Unreserve(n);
    return code;
  };
  int32_t code = allocate(std::max(bytes, *capacity));
  if (code == SY_E_OUT_OF_MEMORY && GiveAllBack(s)) code = allocate(std::max(bytes, *capacity));
  if (code == SY_E_OUT_OF_MEMORY && *capacity > bytes) {
    *capacity = 0;
    code = allocate(bytes);
  }
  if (code == SY_OK && buffer.handle == nullptr && (s.capabilities & SY_DEVICE_ADDRESSES) != 0) {
    s.memory->Unreserve(std::max(bytes, *capacity));
    Fail(ErrorCode::kInternal,
         {name_, ": plugin '", plugin(), "' says that it has ", bytes, " bytes, at address 0"});
  }
  if (code != SY_OK) FailAllocation(s, code, error, bytes);
  return buffer;
}

void Device::FailAllocation(const State& s, int32_t code, const ErrorText& error,
                            uint64_t bytes) const {
  const uint64_t limit = s.memory->limit();
  FailAbi(code, error.text(),
          Join({name_, ": ", bytes, " bytes cannot be allocated, ", live_bytes(), " bytes in ",
                live_blocks(), " blocks are alive",
                limit == 0 ? "" : Join({", the limit is ", limit, " bytes"})}));
}

// A block with a record, neither counted nor owned by a queue yet. kept: where it stays once it is
// freed, unless `capacity` is 0.
Block* Device::NewBlock(State& s, uint64_t bytes, uint64_t capacity, uint64_t alignment,
                        void* stream, KeptBlocks& kept) {
  auto block = std::make_unique<Block>();
  block->buffer = AllocateTrimming(s, bytes, &capacity, alignment, stream);
  block->index = s.index;
  block->bytes = bytes;
  block->capacity = capacity;
  block->home = capacity == 0 ? nullptr : kept.Home(capacity);
  block->memory = s.memory;
  try {
    Enter(*block, s);
  } catch (...) {
    fn_.free(s.device, &block->buffer, stream);
    s.memory->Unreserve(std::max(bytes, capacity));
    throw;
  }
  return block.release();
}

void Device::GiveToDriver(State& s, Block* blocks, void* stream) noexcept {
  while (blocks != nullptr) {
    Block* block = std::exchange(blocks, blocks->next);
    Leave(*block);
    fn_.free(s.device, &block->buffer, stream);
    s.memory->Unreserve(std::max(block->bytes, block->capacity));
    delete block;
  }
}

bool Device::GiveKeptBack(State& s) {
  const std::vector<Stream> queues = LivingQueues(s);
  bool any = false;
  const auto give = [&](KeptBlocks& kept, void* stream) {
    Block* blocks = s.memory->TakeKept(kept);
    any |= blocks != nullptr;
    GiveToDriver(s, blocks, stream);
  };
  give(s.memory->kept(), nullptr);
  for (const Stream& stream : queues) {
    auto* queue = static_cast<Queue*>(stream.impl());
    give(queue->kept(), queue->native());
  }
  return any;
}

bool Device::GiveAllBack(State& s) {
  Reclaim(s, true);
  bool any = GiveKeptBack(s);
  if (fn_.trim != nullptr) any |= Answered(s, fn_.trim(s.device)) == SY_OK;
  return any;
}

bool Device::Reclaim(State& s, bool wait) noexcept {
  bool any = false;
  for (Block* blocks = s.memory->TakeWaiting(); blocks != nullptr;) {
    Block& block = *std::exchange(blocks, blocks->next);
    if (!HavePassed(s, block.events, wait)) {
      s.memory->Wait(block, true);
      continue;
    }
    Queue* queue = block.queue;
    const std::vector<Queue*> users = std::exchange(block.used_by, {});
    s.memory->Keep(block);
    if (queue != nullptr) queue->Release();
    for (Queue* q : users) q->Release();
    any = true;
  }
  return any;
}

// --- Blocks ---

uintptr_t Device::Enter(Block& block, const State& s) {
  const bool addresses = (s.capabilities & SY_DEVICE_ADDRESSES) != 0;
  block.address = addresses ? reinterpret_cast<uintptr_t>(block.buffer.handle)
                            : NumberFor(std::max(block.bytes, block.capacity));
  std::lock_guard lock(blocks_mutex_);
  blocks_.emplace(block.address, &block);
  return block.address;
}

void Device::Leave(const Block& block) noexcept {
  std::lock_guard lock(blocks_mutex_);
  const auto [first, last] = blocks_.equal_range(block.address);
  blocks_.erase(std::find_if(first, last, [&](const auto& b) { return b.second == &block; }));
}

KeptBlocks& Device::KeptOf(State& s, Queue* queue) {
  if (queue == nullptr) queue = s.default_queue;
  return queue == nullptr ? s.memory->kept() : queue->kept();
}

void Device::KeepQueue(Block& block, const State& s, Queue* queue) {
  if (queue == s.default_queue) return;  // it lives as long as the device
  queue->Retain();
  block.queue = queue;
}

Allocation Device::Allocate(const AllocationRequest& request) {
  const CallScope scope(slot_);
  State& s = Opened(request.device_index);
  Queue* queue =
      request.stream == nullptr ? CurrentQueue(s, s.index) : static_cast<Queue*>(request.stream);
  const uint64_t capacity = CapacityFor(s, request.bytes, request.alignment);
  Block* block =
      capacity == 0 ? nullptr : s.memory->Take(KeptOf(s, queue), capacity, request.bytes);
  if (block == nullptr) [[unlikely]]
    block = AllocateSlowly(s, request, queue, capacity);
  KeepQueue(*block, s, queue);
  return {reinterpret_cast<void*>(block->address), block};
}

Block* Device::AllocateSlowly(State& s, const AllocationRequest& request, Queue* queue,
                              uint64_t capacity) {
  if (Reclaim(s, false) && capacity != 0) {
    if (Block* block = s.memory->Take(KeptOf(s, queue), capacity, request.bytes)) return block;
  }
  if (capacity != 0 && s.memory->HoldsMuch(capacity)) GiveKeptBack(s);
  void* stream = queue == nullptr ? nullptr : queue->native();
  Block* block = NewBlock(s, request.bytes, capacity, request.alignment, stream, KeptOf(s, queue));
  s.memory->CountInUse(request.bytes);
  return block;
}

SyBuffer Device::AllocateRaw(State& s, uint64_t bytes, uint64_t alignment, void* stream) {
  live_blocks_.fetch_add(1, std::memory_order_seq_cst);
  try {
    Queue* queue = CurrentQueue(s, s.index);
    const bool current = (queue == nullptr ? nullptr : queue->native()) == stream;
    const uint64_t capacity = current ? CapacityFor(s, bytes, alignment) : 0;
    Block* block = capacity == 0 ? nullptr : s.memory->TakeUncounted(KeptOf(s, queue), capacity);
    if (block == nullptr) block = NewBlock(s, bytes, capacity, alignment, stream, KeptOf(s, queue));
    block->bytes = bytes;
    if (current) KeepQueue(*block, s, queue);
    s.memory->EnterWorkspace(*block);
    return block->buffer;
  } catch (...) {
    live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
    throw;
  }
}

void Device::FreeRaw(State& s, const SyBuffer& buffer, void* stream) noexcept {
  Block* block = s.memory->LeaveWorkspace(buffer);
  Queue* queue = block->queue;
  if (block->capacity != 0 && !s.lost.load(std::memory_order_acquire)) {
    s.memory->Keep(*block);
  } else {
    GiveToDriver(s, block, stream);
  }
  if (queue != nullptr) queue->Release();
  live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
}

void Device::Free(const Allocation& allocation, size_t) noexcept {
  Block& block = *static_cast<Block*>(allocation.context);
  if (block.home == nullptr || !block.used_by.empty() || Forked() ||
      any_lost_.load(std::memory_order_acquire)) [[unlikely]]
    return FreeSlowly(block);
  // As long as a block is in use the plugin stays; then as long as its stream is.
  Queue* queue = block.queue;
  block.memory->Give(block);
  if (queue != nullptr) queue->Release();
}

void Device::FreeSlowly(Block& block) noexcept {
  State& s = *Find(block.index);
  // In the child of a fork the memory is the parent's.
  if (!IsOurs(s)) return;
  if (block.home == nullptr || s.lost.load(std::memory_order_acquire))
    return FreeForGood(s, &block);
  if (!block.used_by.empty() && !MarkUses(s, block)) return s.memory->Wait(block, false);
  Queue* queue = block.queue;
  s.memory->Give(block);
  if (queue != nullptr) queue->Release();
}

// Events in the streams that use a block besides its own. True where there is nothing to wait for
// any more. A stream stays until its event has happened: a driver may look for it there.
bool Device::MarkUses(State& s, Block& block) noexcept {
  std::erase_if(block.used_by, [&](Queue* q) {
    void* event = RecordEvent(s, q->native());
    if (event == nullptr) {
      q->WaitQuietly(s);
      q->Release();
      return true;
    }
    block.events.push_back(event);  // there is room: RecordStream has made it
    return false;
  });
  return block.events.empty();
}

// In the order of its stream, after what other streams do with it.
void Device::FreeForGood(State& s, Block* block) noexcept {
  Queue* queue = block->queue;
  void* stream = queue == nullptr ? s.stream : queue->native();
  for (Queue* q : block->used_by) {
    if (block->on_free || !OrderAfter(s, stream, q->native())) q->WaitQuietly(s);
    q->Release();
  }
  const uint64_t bytes = block->bytes;
  if (block->on_free) {  // who gets it back knows nothing of our streams
    Queue* last = queue == nullptr ? s.default_queue : queue;
    if (last != nullptr) last->WaitQuietly(s);
    Leave(*block);
    block->on_free();
    delete block;
  } else {
    GiveToDriver(s, block, stream);
  }
  // Last: as long as a block or a stream is alive the plugin stays.
  s.memory->CountFreed(bytes);
  if (queue != nullptr) queue->Release();
}

void* Device::RecordEvent(State& s, void* stream) noexcept {
  if (s.lost.load(std::memory_order_acquire)) return nullptr;
  try {
    void* event = TakeEvent(s, false);
    if (Answered(s, fn_.event_record(s.device, event, stream)) == SY_OK) return event;
    GiveEvent(s, event, false);
  } catch (...) {  // no event to be had, or no memory to say why
  }
  return nullptr;
}

bool Device::OrderAfter(State& s, void* stream, void* other) noexcept {
  if (s.lost.load(std::memory_order_acquire)) return true;
  void* event = RecordEvent(s, other);
  if (event == nullptr) return false;
  const bool ordered = Answered(s, fn_.event_wait(s.device, event, stream)) == SY_OK;
  GiveEvent(s, event, false);
  return ordered;
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
  block->events.reserve(used.size() + 1);
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
  block->capacity = 0;
  block->memory = s.memory;
  block->on_free = std::move(on_free);
  const uintptr_t address = Enter(*block, s);
  KeepQueue(*block, s, CurrentQueue(s, index));
  s.memory->CountInUse(bytes);
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
    const Block& b = *it->second;
    if (b.in_use.load(std::memory_order_relaxed) && a - it->first < std::max<uint64_t>(b.bytes, 1))
      return {b.buffer, a - it->first, b.index};
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
  MemoryStats stats = s->memory->Stats();
  SyMemoryStats m{};
  m.size = sizeof(m);
  if (fn_.memory_stats == nullptr || s->lost.load(std::memory_order_acquire) ||
      Answered(*s, fn_.memory_stats(s->device, &m)) != SY_OK)
    return stats;
  stats.reserved_bytes = static_cast<int64_t>(m.allocated_bytes + m.cached_bytes);
  if (!s->keeps) {  // it knows best
    stats.allocated_bytes = static_cast<int64_t>(m.allocated_bytes);
    stats.peak_bytes = static_cast<int64_t>(m.peak_bytes);
    stats.allocations = static_cast<int64_t>(m.allocations);
    stats.frees = static_cast<int64_t>(m.frees);
  }
  return stats;
}

void Device::ResetPeak(int index) {
  if (index < 0 || index >= kMaxIndex) return;
  if (DeviceMemory* memory = memories_[index].load(std::memory_order_acquire)) memory->ResetPeak();
}

bool Device::SetLimit(int index, size_t bytes) {
  MemoryOf(index).SetLimit(bytes);
  return true;
}

void Device::Trim() {
  const CallScope scope(slot_);
  if (Unusable()) return;
  for (auto& slot : usable_) {
    State* s = slot.load(std::memory_order_acquire);
    if (s == nullptr) continue;
    Reclaim(*s, false);
    GiveKeptBack(*s);
    if (fn_.trim != nullptr) Answered(*s, fn_.trim(s->device));
  }
}

}  // namespace sy::plugin
