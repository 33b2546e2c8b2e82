// One group, and one call in it that may still be under way.
#ifndef SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "collective/engine_internal.h"
#include "switchyard/collective/group.h"
#include "switchyard/core/device.h"
#include "switchyard/core/error.h"
#include "switchyard/core/storage.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"

namespace sy::collective {

// A queued call. Threads: any may wait.
class Work {
 public:
  Work(const SyCollective& call, std::vector<Storage> keeps);
  // Until it is done. Errors: why it failed, each time.
  void Wait();
  bool done() const { return done_.load(); }

 private:
  friend class sy::collective::Group;
  friend void SetPending(const Tensor& t, const std::shared_ptr<Work>& work);
  void Finish(std::optional<Error> failure);

  SyCollective call_;
  std::vector<int64_t> in_counts_, out_counts_;
  std::vector<Storage> keeps_;                       // what the call reads and writes
  std::atomic<const StorageImpl*> result_{nullptr};  // the pending tensor's
  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Error> failure_;
};

// Groups are made and kept by their world.
class Group {
 public:
  Group(std::string name, const GroupPlan& plan, std::string engine, const GroupOptions& options,
        bool check, void* world);
  ~Group();  // its queue is empty

  // Does the call in this thread, behind what is queued. Errors: naming rank, group and call.
  void Run(SyCollective call);
  // Does it on a device's current stream, and waits for that. False where the group has no engine
  // for the device, or that none for such calls: on all ranks alike, and nothing was done.
  bool RunOnDevice(const Device& device, SyCollective call);
  // Queues it. keeps: what it reads and writes.
  std::shared_ptr<Work> Start(const SyCollective& call, std::vector<Storage> keeps);
  // Whether a call of so many bytes is done at once.
  bool RunsInline(int64_t bytes) const {
    return bytes <= inline_bytes_ && queued_.load(std::memory_order_acquire) == 0;
  }
  bool busy() const { return queued_.load(std::memory_order_acquire) != 0; }

  // [the world's watch] ended: ranks of the world. Ends calls that wait for them, or too long.
  void Watch(const std::vector<int>& ended);
  // "KEY CALLS", for the store.
  std::string Progress() const;

  const std::string name;
  const GroupPlan plan;
  const std::string engine_name;
  void* const world;
  int size() const { return static_cast<int>(plan.ranks.size()); }
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

 private:
  // A call in the engine, as the watch sees it.
  struct InFlight {
    std::atomic<uint64_t> number{0};  // 0: none
    std::atomic<int> kind{0};
    uint64_t seen = 0;  // the watch's own
    std::chrono::steady_clock::time_point since;
  };
  void Execute(SyCollective& call);  // under engine_mutex_
  void RunAlone(const SyCollective& call);
  void Check(const SyCollective& call, uint64_t number);
  Error Failure(const SyCollective& call, uint64_t number, const Error& why);
  void RequireWhole() const;
  void Serve();  // [its own thread] the queue

  Engine* DeviceEngine(const Device& device);
  void WaitOnDevice(const Stream& stream);

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> device_engine_;  // of the device that asked first
  bool asked_for_device_ = false;
  const std::string device_engine_name_;
  const bool check_;
  const int64_t inline_bytes_;
  std::atomic<uint64_t> calls_{0}, messages_{0};
  InFlight collective_, message_;
  std::mutex engine_mutex_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Work>> queue_;
  std::thread thread_;
  bool stops_ = false;
  std::string broken_;  // why the group is of no use
  std::vector<int> ended_;
  std::chrono::steady_clock::time_point noticed_;
  std::atomic<bool> is_broken_{false};
  std::atomic<int> queued_{0};
};

// Marks a host tensor as the result of a call under way: every operator that meets it waits.
void SetPending(const Tensor& t, const std::shared_ptr<Work>& work);
// The call that writes the storage is done.
void ForgetPending(const StorageImpl* storage);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_
