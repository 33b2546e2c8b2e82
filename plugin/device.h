// A plugin's device as the runtime sees it: a DeviceBackend and an Allocator on top of
// SyDeviceFunctions.
//
// Memory is handle plus offset on the plugin's side and an address on ours. Where the plugin's
// handles are no addresses, a block is given a range of numbers that no pointer can be
// (kNumberedDataBit in op/viewed.h: touching one faults), so that the arithmetic on addresses goes
// on and a block is found again from any of them.
// Where the plugin has streams, kernels and copies get the thread's current one (plugin/stream.h);
// what the runtime asks for without a stream is done when it returns.
// Owns: opened devices, the records of blocks, events that wait to be used again. Objects live for
// the process, one per device name: after its plugin is gone one waits for the next plugin of that
// device.
// Threads: any.
// Errors: what the plugin answers; kUnavailable when the plugin is gone, in the child of a fork,
// and for what was queued and failed, which stays so. A device that was lost once is not asked for
// anything any more, but to give back what it gave.
#ifndef PLUGIN_DEVICE_H_
#define PLUGIN_DEVICE_H_

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/abi.h"
#include "plugin/calls.h"
#include "plugin/device_memory.h"
#include "plugin/failure.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/stream_impl.h"

namespace sy::plugin {

class PinnedMemory;

class Device final : public DeviceBackend, public Allocator {
 public:
  static constexpr int kMaxIndex = 64;

  // The object for a device name; made when there is none.
  static Device& Of(const std::string& name);
  // That of a state which some plugin's `open` gave; null when there is none.
  static Device* WithState(void* state);

  // --- Loading and unloading, under the loader's lock.
  // Closed as yet.
  void Attach(const SyDeviceDef& def, const std::string& plugin);
  // No new work starts from here on; Resume takes that back.
  void Close() { open_.store(false, std::memory_order_seq_cst); }
  void Resume() { open_.store(true, std::memory_order_seq_cst); }
  // Frees what only waited for the device to be done with it.
  void Settle();
  // Waits for its work and closes all indices. Nothing is alive.
  void CloseAll();
  int64_t live_blocks() const;
  int64_t live_streams() const { return live_streams_.load(std::memory_order_seq_cst); }
  int64_t live_events() const { return live_events_.load(std::memory_order_seq_cst); }
  int64_t live_bytes() const;
  const std::string& name() const { return name_; }
  // That it belongs to, or belonged to last.
  const std::string& plugin() const { return *plugin_.load(std::memory_order_acquire); }

  // --- For kernels, inside a CallScope of its plugin.
  struct State {
    int index = 0;
    void* device = nullptr;          // the plugin's
    void* stream = nullptr;          // the plugin's default one; null where it has no streams
    Queue* default_queue = nullptr;  // the same as ours
    uint32_t capabilities = 0;
    uint64_t alignment = 0;
    // Memory that was freed is kept for reuse, unless the device itself does that, and serves
    // requests of at most this alignment.
    bool keeps = false;
    uint64_t kept_alignment = 0;
    DeviceMemory* memory = nullptr;
    std::unique_ptr<RecentCalls> recent;  // where work is queued
    AsyncFailure failure;
    std::atomic<bool> lost{false};  // `failure` says why
    std::mutex mutex;
    std::vector<Queue*> queues;    // alive, but the default one; not counted
    std::vector<void*> events[2];  // not in use; timed ones second
    // The plugin's stream that this thread's work goes to. Devices without streams pay for one
    // compare.
    void* CurrentStream(KeyWord place) const {
      if (stream == nullptr) return nullptr;
      const StreamImpl* chosen = ChosenStream(place);
      return chosen == nullptr ? stream : chosen->native();
    }
    // A call that may queue work; 0 where the device queues none.
    uint64_t NumberCall(const char* op) { return recent == nullptr ? 0 : recent->Number(op); }
  };
  State& Opened(int index) {
    State* s = index < kMaxIndex ? usable_[index].load(std::memory_order_acquire) : nullptr;
    if (s == nullptr || !open_.load(std::memory_order_relaxed) || Forked()) [[unlikely]]
      return OpenSlowly(index);
    return *s;
  }
  using Block = plugin::Block;
  // A block outside the statistics, for a kernel's workspace. stream: the plugin's.
  SyBuffer AllocateRaw(State& s, uint64_t bytes, uint64_t alignment, void* stream);
  void FreeRaw(State& s, const SyBuffer& buffer, void* stream) noexcept;
  // What a callback has answered, which is returned: that the device is lost is remembered.
  int32_t Answered(State& s, int32_t code, std::string_view text = {}) const noexcept {
    if (code == SY_E_DEVICE_LOST) [[unlikely]]
      Lose(s, {}, text);
    return code;
  }
  int32_t Answered(State& s, int32_t code, const ErrorText& error) const noexcept {
    return code == SY_OK ? code : Answered(s, code, error.text());
  }
  int32_t Answered(State& s, int32_t code, const SyAsyncError& error) const noexcept {
    if (code == SY_E_DEVICE_LOST || error.code == SY_E_DEVICE_LOST) [[unlikely]]
      Lose(s, error, {});
    return code;
  }
  // A failure that the plugin reports of itself.
  void Report(const SyAsyncError& error, void* state);

  // --- For streams, events and pinned memory, inside a CallScope.
  const SyDeviceFunctions& functions() const { return fn_; }
  int slot() const { return slot_; }
  State* Find(int index) const { return states_[index].load(std::memory_order_acquire); }
  std::string NameOf(int index) const { return Join({name_, ":", index}); }
  void QueueDies(Queue& queue, void* stream) noexcept;
  // An event that is not in use any more, or a new one.
  void* TakeEvent(State& s, bool timed);
  void GiveEvent(State& s, void* event, bool timed) noexcept;
  // Takes out those that have happened; `wait`: all. True where none is left.
  bool HavePassed(State& s, std::vector<void*>& events, bool wait) noexcept;
  void EventDies(int index, void* event, bool timed) noexcept;
  // Blocks of pinned memory.
  void CountBlocks(int64_t n) { live_blocks_.fetch_add(n, std::memory_order_seq_cst); }

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
  StreamImpl* DefaultStream(int index) override;
  StreamImpl* NewStream(int index, int priority) override;
  EventImpl* NewEvent(int index, bool timed) override;
  StreamImpl* WrapStream(int index, void* native) override;
  Allocator* pinned_allocator() override;
  void* HostAddress(void* address) override;
  bool CopyFromDevice(void* dst, int index, DeviceBackend& from, const void* src, int from_index,
                      size_t bytes) override;
  void* HandleOf(void* address, size_t* offset) override;
  Adopted Adopt(void* handle, size_t bytes, int index, std::function<void()> on_free) override;
  std::vector<Attribute> Attributes(int index) override;
  bool SetOption(int index, const std::string& key, const std::string& value) override;
  void WarmUp(int index) override;
  bool StartTiming(int index) override;
  std::vector<TimedWork> StopTiming(int index) override;

  // --- Allocator.
  Allocation Allocate(const AllocationRequest& request) override;
  void Free(const Allocation& allocation, size_t bytes) noexcept override;
  void RecordStream(const Allocation& allocation, StreamHandle stream) override;
  bool is_lent(const Allocation& allocation) const override;
  MemoryStats Stats(int device_index) const override;
  void ResetPeak(int device_index) override;
  void Trim() override;
  bool SetLimit(int device_index, size_t bytes) override;
  // For the one handler of forks.
  void HoldAcrossFork(internal::ForkPhase phase);

 private:
  static constexpr uint64_t kAlignment = 64;  // of blocks that are kept for reuse, at least
  explicit Device(std::string name);
  ~Device() override;
  bool Unusable() const;
  SY_COLD int AskCount(std::string* reason);
  SY_COLD State& OpenSlowly(int index);
  [[noreturn]] SY_COLD void FailGone() const;
  void OpenState(State& s);
  // Ours for a stream of the plugin's, or of somebody else's (wrapped), as one that is alive.
  Queue* NewQueue(State& s, void* stream, int priority, bool wrapped);
  SY_COLD void Lose(State& s, SyAsyncError error, std::string_view text) const noexcept;
  // The block that an address lies in, and where.
  struct Place {
    SyBuffer buffer;
    uint64_t offset;
    int index;
  };
  Place FindBlock(const void* address) const;
  void Copy(SyCopy& copy, int index, StreamHandle stream, const char* what);
  // The thread's current stream as ours; null where the device has none.
  Queue* CurrentQueue(State& s, int index) const;
  // Lists a block under the address by which the runtime knows it from here on.
  uintptr_t Enter(Block& block, const State& s);
  void Leave(const Block& block) noexcept;
  static void KeepQueue(Block& block, const State& s, Queue* queue);
  // Where memory is kept that is freed in a queue's order; null: the default one's.
  static KeptBlocks& KeptOf(State& s, Queue* queue);
  // The size class that a request is served by; 0: memory that is not kept.
  static uint64_t CapacityFor(const State& s, uint64_t bytes, uint64_t alignment) {
    return alignment <= s.kept_alignment ? KeptBlocks::Capacity(bytes) : 0;
  }
  DeviceMemory& MemoryOf(int index);
  SY_COLD Block* AllocateSlowly(State& s, const AllocationRequest& request, Queue* queue,
                                uint64_t capacity);
  Block* NewBlock(State& s, uint64_t bytes, uint64_t capacity, uint64_t alignment, void* stream,
                  KeptBlocks& kept);
  SyBuffer AllocateTrimming(State& s, uint64_t bytes, uint64_t* capacity, uint64_t alignment,
                            void* stream);
  [[noreturn]] SY_COLD void FailAllocation(const State& s, int32_t code, const ErrorText& error,
                                           uint64_t bytes) const;
  // Keeps what has waited for other streams, or `wait`: waits for it. Whether there was any.
  bool Reclaim(State& s, bool wait) noexcept;
  // Frees a list of blocks that are not in use.
  void GiveToDriver(State& s, Block* blocks, void* stream) noexcept;
  // What is kept; with what waits, and what the plugin itself keeps. Whether there was any.
  bool GiveKeptBack(State& s);
  bool GiveAllBack(State& s);
  SY_COLD void FreeSlowly(Block& block) noexcept;
  void FreeForGood(State& s, Block* block) noexcept;
  bool MarkUses(State& s, Block& block) noexcept;
  // Behind what the plugin's stream was given; null where that cannot be.
  void* RecordEvent(State& s, void* stream) noexcept;
  // Whether `stream` could be made to go on after what `other` has by now.
  bool OrderAfter(State& s, void* stream, void* other) noexcept;
  // What the device was given is this process's.
  static bool IsOurs(const State& s) {
    return !Forked() || (s.capabilities & SY_DEVICE_FORK_SAFE) != 0;
  }
  void CloseState(State& s) noexcept;
  // Waits for what the thread's current stream was given; where there are none, for everything.
  void WaitForCurrent(State& s, int index);
  void SynchronizeState(State& s, int index);
  // The default one first. Held: the last handle of one may go meanwhile.
  static std::vector<Stream> LivingQueues(State& s);
  // One end of a copy between devices.
  struct End {
    Device& device;
    State& state;
    Place place;
  };
  static bool CopyShared(const End& giver, const End& taker, bool taker_reads, size_t bytes);
  bool CopyBetween(const End& from, const End& to, size_t bytes);

  const std::string name_;
  const int slot_;
  std::atomic<const std::string*> plugin_{&name_};  // lives for the process
  SyDeviceFunctions fn_ = {};
  void* user_ = nullptr;
  std::atomic<bool> pins_{false};  // offers pinned memory
  bool caching_ = true;            // by the environment
  std::atomic<bool> open_{false};
  mutable std::atomic<bool> any_lost_{false};  // until it is attached again
  std::atomic<int> count_{0};                  // as the plugin has answered; 0: to be asked
  std::mutex open_mutex_;
  std::array<std::atomic<State*>, kMaxIndex> states_ = {};
  mutable std::array<std::atomic<State*>, kMaxIndex> usable_ = {};  // the same, but for lost ones
  // Of each index, once it was asked for: they live for the process.
  std::array<std::atomic<DeviceMemory*>, kMaxIndex> memories_ = {};
  mutable std::mutex blocks_mutex_;          // of blocks_, and for making one of memories_
  std::multimap<uintptr_t, Block*> blocks_;  // by address; adopted ones may coincide
  std::atomic<int64_t> live_blocks_{0}, live_streams_{0}, live_events_{0};  // blocks: uncounted
  const std::unique_ptr<PinnedMemory> pinned_;
};

}  // namespace sy::plugin

#endif  // PLUGIN_DEVICE_H_
