// Host memory that a plugin's device copies from and to while the host goes on.
//
// The plugin's own where it has some (page-locked), else pages of the host's. A block that copies
// on some stream still use is free when they are done, not when its tensor dies. Drivers take long
// to lock pages: free blocks are kept for reuse, as far as they and those in use together are no
// more than was once in use at one time, until Trim or the plugin goes.
// Owns: blocks. Those that are kept do not keep the plugin.
// Threads: any.
// Errors: kOutOfMemory.
#ifndef PLUGIN_PINNED_H_
#define PLUGIN_PINNED_H_

#include <mutex>
#include <utility>
#include <vector>

#include "plugin/device.h"

namespace sy::plugin {

class PinnedMemory final : public Allocator {
 public:
  explicit PinnedMemory(Device& owner) : owner_(owner) {}
  Allocation Allocate(const AllocationRequest& request) override;
  void Free(const Allocation& allocation, size_t bytes) noexcept override;
  void RecordStream(const Allocation& allocation, StreamHandle stream) override;
  bool is_pinned() const override { return true; }
  MemoryStats Stats(int device_index) const override;  // of all indices
  void Trim() override;
  // Waits for copies that use memory whose tensors are gone.
  void Settle();
  // The plugin goes: gives everything back. Nothing is alive.
  void Close() noexcept;

 private:
  struct Block {
    void* memory;
    int64_t bytes;  // a size of CapacityFor
    int index;
    std::vector<void*> events;  // of copies that use it
    Block* next = nullptr;      // in the list that it waits in: freeing needs no memory
  };
  // Sizes that blocks are reused by: eight from one power of 2 to the next, whole pages.
  static uint64_t CapacityFor(uint64_t bytes);
  Block* TakeKept(int index, int64_t bytes);
  Block* NewBlock(Device::State& s, int index, int64_t bytes);
  // Frees what no copy uses any more; `wait`: all.
  void Reclaim(bool wait) noexcept;
  // The rest with `mutex_` held.
  bool IsDone(Device::State& s, Block& block, bool wait) noexcept;
  void KeepOrRelease(Device::State& s, Block* block) noexcept;
  void Release(Device::State& s, Block* block) noexcept;
  void ReleaseKept() noexcept;

  Device& owner_;
  mutable std::mutex mutex_;
  Block* waiting_ = nullptr;  // freed, but in use
  Block* kept_ = nullptr;
  int64_t kept_bytes_ = 0;
  MemoryStats stats_;
};

}  // namespace sy::plugin

#endif  // PLUGIN_PINNED_H_
