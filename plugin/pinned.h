// Host memory that a plugin's device copies from and to while the host goes on.
//
// The plugin's own where it has some (page-locked), else pages of the host's. A block that copies
// on some stream still use is given back when they are done, not when its tensor dies.
// Owns: blocks, until their tensors and the copies are gone.
// Threads: any.
// Errors: kOutOfMemory.
#ifndef PLUGIN_PINNED_H_
#define PLUGIN_PINNED_H_

#include <list>
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
  MemoryStats Stats(int device_index) const override;
  // Waits for copies that use memory whose tensors are gone.
  void Settle();

 private:
  struct Block {
    void* memory;
    int64_t bytes;
    int index;
    std::vector<void*> events;  // of copies that use it
  };
  // Gives back what no copy uses any more; `wait`: all.
  void Reclaim(bool wait) noexcept;
  bool IsDone(Device::State& s, Block& block, bool wait) noexcept;
  void Release(Device::State& s, Block* block) noexcept;

  Device& owner_;
  mutable std::mutex mutex_;
  std::vector<Block*> waiting_;  // freed, but in use
  MemoryStats stats_;
};

}  // namespace sy::plugin

#endif  // PLUGIN_PINNED_H_
