// A plugin's device as the runtime sees it: a DeviceBackend and an Allocator on top of
// SyDeviceFunctions.
//
// Memory is handle plus offset on the plugin's side and an address on ours. Where the plugin's
// handles are no addresses, a block is given a range of numbers that no pointer of x86-64 can be
// (bits 63 to 56 differ from bit 47: touching one faults), so that the arithmetic on addresses goes
// on and a block is found again from any of them.
// Work is queued on one stream per device, where the plugin has streams; what the runtime asks for
// without a stream is done when it returns.
// Owns: opened devices and the records of blocks. Objects live for the process, one per device
// name: after its plugin is gone one waits for the next plugin of that device.
// Threads: any.
// Errors: what the plugin answers; kUnavailable when the plugin is gone, in the child of a fork,
// and for what was queued and failed, which stays so.
#ifndef PLUGIN_DEVICE_H_
#define PLUGIN_DEVICE_H_

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "plugin/abi.h"
#include "plugin/calls.h"
#include "switchyard/core/device_backend.h"

namespace sy::plugin {

class Device final : public DeviceBackend, public Allocator {
 public:
  static constexpr int kMaxIndex = 64;

  // The object for a device name; made when there is none.
  static Device& Of(const std::string& name);
  // That of a state which some plugin's `open` gave; null when there is none.
  static Device* WithState(void* state);

  // --- Loading and unloading, under the loader's lock.
  void Attach(int slot, const SyDeviceDef& def, std::string plugin);
  // No new work starts from here on; Resume takes that back.
  void Close() { open_.store(false, std::memory_order_seq_cst); }
  void Resume() { open_.store(true, std::memory_order_seq_cst); }
  // Waits for its work and closes all indices. Nothing is alive.
  void CloseAll();
  int64_t live_blocks() const { return live_blocks_.load(std::memory_order_seq_cst); }
  int64_t live_bytes() const { return live_bytes_.load(std::memory_order_relaxed); }
  const std::string& name() const { return name_; }
  const std::string& plugin() const { return plugin_; }

  // --- For kernels, inside a CallScope of its plugin.
  struct State {
    void* device = nullptr;  // the plugin's
    void* stream = nullptr;
    uint32_t capabilities = 0;
    uint64_t alignment = 0;
    std::atomic<bool> failed{false};  // `failure` is set
    SyAsyncError failure = {};
    std::atomic<int64_t> allocated{0}, peak{0}, allocations{0}, frees{0};
  };
  State& Opened(int index) {
    State* s = index < kMaxIndex ? states_[index].load(std::memory_order_acquire) : nullptr;
    if (s == nullptr || !open_.load(std::memory_order_relaxed) || Forked()) [[unlikely]]
      return OpenSlowly(index);
    return *s;
  }
  struct Block {
    SyBuffer buffer;
    int index;
    uint64_t bytes;
  };
  // A block outside the statistics, for a kernel's workspace.
  SyBuffer AllocateRaw(State& s, uint64_t bytes, uint64_t alignment);
  void FreeRaw(State& s, const SyBuffer& buffer) noexcept;
  void Record(const SyAsyncError& error, void* state);

  // --- DeviceBackend.
  int Count(std::string* reason) override;
  Allocator* allocator() override { return this; }
  void CopyFromHost(void* dst, const void* src, size_t bytes, int index,
                    StreamHandle stream) override;
  void CopyToHost(void* dst, const void* src, size_t bytes, int index,
                  StreamHandle stream) override;
  void CopyWithin(void* dst, const void* src, size_t bytes, int index,
                  StreamHandle stream) override;
  void Synchronize(int index) override;

  // --- Allocator.
  Allocation Allocate(const AllocationRequest& request) override;
  void Free(const Allocation& allocation, size_t bytes) noexcept override;
  MemoryStats Stats(int device_index) const override;
  void ResetPeak(int device_index) override;
  void Trim() override;

 private:
  explicit Device(std::string name) : name_(std::move(name)) {}
  bool Unusable() const;
  SY_COLD State& OpenSlowly(int index);
  [[noreturn]] SY_COLD void FailGone() const;
  // The block that an address lies in, and where.
  struct Place {
    SyBuffer buffer;
    uint64_t offset;
  };
  Place Find(const void* address) const;
  void Copy(SyCopy& copy, int index, StreamHandle stream, const char* what);
  void SynchronizeState(State& s);
  SyBuffer AllocateTrimming(State& s, uint64_t bytes, uint64_t alignment, void* stream);

  const std::string name_;
  std::string plugin_;
  int slot_ = 0;
  SyDeviceFunctions fn_ = {};
  void* user_ = nullptr;
  std::atomic<bool> open_{false};
  std::mutex open_mutex_;
  std::array<std::atomic<State*>, kMaxIndex> states_ = {};
  mutable std::mutex blocks_mutex_;
  std::map<uintptr_t, Block*> blocks_;  // by address
  std::atomic<int64_t> live_blocks_{0}, live_bytes_{0};
};

}  // namespace sy::plugin

#endif  // PLUGIN_DEVICE_H_
