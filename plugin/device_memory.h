// What is known of the memory of one device of a plugin: how much of it is in use, and what was
// freed and is kept for reuse, so that a driver is rarely asked.
//
//   Block* b = memory.Take(queue.kept(), capacity, bytes);   // freed before in that queue's order
//   memory.Give(*b);                                         // reusable in its order at once
//
// A block goes to requests of its size class (core/size_class.h) on the stream in whose order it
// was freed: whatever used it there comes first. What other streams have used waits for events in
// them. Records of blocks are kept with the blocks. More than twice what was once in use at one
// time, and a little, is not held: who would need more gives back what is kept.
// Owns: counts. Blocks are in use, in a queue's KeptBlocks, or waiting.
// Threads: any; one lock, under which nothing else is called.
// Errors: none.
#ifndef PLUGIN_DEVICE_MEMORY_H_
#define PLUGIN_DEVICE_MEMORY_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "plugin/brief_mutex.h"
#include "switchyard/c/plugin.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/memory_stats.h"
#include "switchyard/core/size_class.h"

namespace sy::plugin {

class Queue;
class DeviceMemory;

// What a tensor's death reads lies behind one pointer: a block that is freed and taken again is a
// chain of loads, each of which waits for the one before.
struct Block {
  SyBuffer buffer;
  uintptr_t address;       // under which the runtime knows it
  uint64_t bytes;          // as asked for
  uint64_t capacity;       // its size class; 0: goes back to the driver when it is freed
  Block** home = nullptr;  // the list that keeps it, for as long as it lives; null: as capacity 0
  DeviceMemory* memory = nullptr;
  Block* next = nullptr;   // in the list that it lies in
  Queue* queue = nullptr;  // in whose order it is freed; null: the default one
  int index;
  std::atomic<bool> in_use{true};
  std::vector<Queue*> used_by;    // others that it is used on
  std::vector<void*> events;      // in them, once it is freed
  std::function<void()> on_free;  // of memory that is somebody else's
};

// Free blocks of one stream, by size class.
class KeptBlocks {
 public:
  static constexpr uint64_t kLeast = 64;
  static constexpr uint64_t kMost = uint64_t{1} << 43;
  static uint64_t Capacity(uint64_t bytes) {
    if (bytes < 16 * kLeast) return (bytes + kLeast - 1) / kLeast * kLeast;  // no division
    return bytes > kMost ? 0 : SizeClass(bytes, kLeast);
  }
  // The list of a class.
  Block** Home(uint64_t capacity) { return &heads_[SizeClassIndex(capacity, kMinBits)]; }

 private:
  friend class DeviceMemory;
  static constexpr int kMinBits = 6, kMaxBits = 44;
  std::array<Block*, 8 * (kMaxBits - kMinBits)> heads_ = {};
};

class DeviceMemory {
 public:
  // A block that was kept, counted as one in use; null where there is none of that class.
  Block* Take(KeptBlocks& from, uint64_t capacity, uint64_t bytes) {
    Block** home = from.Home(capacity);
    std::lock_guard lock(mutex_);
    Block* block = Pop(home);
    if (block == nullptr) return nullptr;
    block->bytes = bytes;
    CountTaken(bytes);
    return block;
  }
  // Not in use any more, kept where its home is. Nothing of the plugin is touched after that.
  void Give(Block& block) noexcept {
    std::lock_guard lock(mutex_);
    CountGiven(block.bytes);
    Push(block);
  }
  // The same for memory that the statistics do not know: a kernel's workspace, and what has waited.
  Block* TakeUncounted(KeptBlocks& from, uint64_t capacity) {
    std::lock_guard lock(mutex_);
    return Pop(from.Home(capacity));
  }
  void Keep(Block& block) noexcept {
    std::lock_guard lock(mutex_);
    Push(block);
  }
  // Of blocks that come from the driver or another owner, and go back there.
  void CountInUse(uint64_t bytes) {
    std::lock_guard lock(mutex_);
    CountTaken(bytes);
  }
  void CountFreed(uint64_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    CountGiven(bytes);
  }

  // Freed, with events that have not happened; counted as given.
  void Wait(Block& block, bool counted) noexcept;
  // Those that wait, and what a queue keeps, as lists; nothing is left.
  Block* TakeWaiting() noexcept;
  Block* TakeKept(KeptBlocks& from) noexcept;

  // Workspaces in use, which only the driver's handle is known of.
  void EnterWorkspace(Block& block) noexcept;
  Block* LeaveWorkspace(const SyBuffer& buffer) noexcept;  // null: unknown

  // Before the driver is asked for bytes. False, and nothing counted, beyond the limit.
  bool Reserve(uint64_t bytes) noexcept;
  void Unreserve(uint64_t bytes) noexcept;
  // Whether so many bytes more are worth giving back first what is kept.
  bool HoldsMuch(uint64_t bytes) const;
  void SetLimit(uint64_t bytes);
  uint64_t limit() const;

  // Blocks and bytes in use, by what was asked for; reserved: by what the driver gave.
  int64_t in_use() const;
  MemoryStats Stats() const;
  void ResetPeak();
  void Reset();  // the device was closed: all is counted anew
  void HoldAcrossFork(internal::ForkPhase phase) { internal::HoldAcross(phase, mutex_); }
  // Of a device without streams.
  KeptBlocks& kept() { return kept_; }

 private:
  static Block* Pop(Block** home) {
    Block* block = *home;
    if (block == nullptr) return nullptr;
    *home = block->next;
    block->next = nullptr;
    block->in_use.store(true, std::memory_order_relaxed);
    return block;
  }
  static void Push(Block& block) noexcept {
    block.in_use.store(false, std::memory_order_relaxed);
    block.next = *block.home;
    *block.home = &block;
  }
  void CountTaken(uint64_t bytes) {
    stats_.allocated_bytes += static_cast<int64_t>(bytes);
    if (stats_.allocated_bytes > stats_.peak_bytes) stats_.peak_bytes = stats_.allocated_bytes;
    if (stats_.peak_bytes > most_) most_ = stats_.peak_bytes;
    ++stats_.allocations;
  }
  void CountGiven(uint64_t bytes) noexcept {
    stats_.allocated_bytes -= static_cast<int64_t>(bytes);
    ++stats_.frees;
  }

  mutable BriefMutex mutex_;
  KeptBlocks kept_;
  Block* waiting_ = nullptr;
  Block* workspaces_ = nullptr;
  MemoryStats stats_;  // reserved_bytes: from the driver
  int64_t most_ = 0;   // bytes in use at once, ever
  uint64_t limit_ = 0;
};

}  // namespace sy::plugin

#endif  // PLUGIN_DEVICE_MEMORY_H_
