// One group, and one call in it that may still be under way.
#ifndef SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_

#include <atomic>
#include <chrono>
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

// A call that is to be queued, or is. Threads: any may wait.
class Work {
 public:
  Work(const SyCollective& call, std::vector<Storage> keeps);
  // Until it is done. Errors: why it failed, each time.
  void Wait();
  bool done() const { return done_.load(); }

 private:
  friend class sy::collective::Group;
  friend void SetPending(const Tensor& t, const std::shared_ptr<Work>& work);
  void Finish(std::optional<Error> failure) noexcept;

  SyCollective call_;
  std::vector<int64_t> in_counts_, out_counts_;
  std::vector<Storage> keeps_;           // what the call reads and writes
  const StorageImpl* result_ = nullptr;  // the pending tensor's, from before it is queued
  std::shared_ptr<Work> next_;           // in the queue
  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Error> failure_;
};

// A lock of one atomic step where nobody else has it. Whoever finds it taken waits for a whole
// collective, beside which it is nothing to look again now and then.
class CallLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::sleep_for(kAgain);
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  static constexpr std::chrono::microseconds kAgain{20};
  std::atomic<bool> taken_{false};
};

// What is being handled, as an Error. In a handler of a std::exception.
Error CurrentError() noexcept;

// Groups are made and kept by their world.
class Group {
 public:
  Group(std::string name, const GroupPlan& plan, std::string engine, const GroupOptions& options,
        bool check, void* world);
  ~Group();  // its queue is empty
  // Before any call. The engines of processes wait for the other ranks. Errors: as MakeEngine's.
  void Start();
  // It was started, and other ranks were not: nothing more is asked of them.
  void Discard() noexcept;

  // Does the call in this thread, behind what is queued. Errors: naming rank, group and call.
  void Run(const SyCollective& call);
  // Queues it on a device's current stream, and returns; while that is captured it becomes part of
  // the graph. False where the group has no engine for the device, or that none for such calls: on
  // all ranks alike, and nothing was done.
  bool RunOnDevice(const Device& device, SyCollective call);
  // Waits for what was queued on this device. Errors: what has failed there, each time.
  void FinishOnDevice(const Device& device);
  // What it takes to queue a call, all memory for one. keeps: what the call reads and writes.
  std::shared_ptr<Work> Prepare(const SyCollective& call, std::vector<Storage> keeps);
  void Queue(std::shared_ptr<Work> work) noexcept;
  // Whether a call of so many bytes is done at once.
  bool RunsInline(int64_t bytes) const {
    return bytes <= inline_bytes_ && queued_.load(std::memory_order_acquire) == 0;
  }
  bool busy() const { return queued_.load(std::memory_order_acquire) != 0; }

  // This rank has failed; see ReportFailure. Where there is no memory to count and tell it, the
  // group is given up.
  void NoteFailure(std::string_view what) noexcept;
  // [the world's watch] A line that a rank has told; false where it is of another group.
  bool Hear(const std::string& line);
  // [the world's watch] ended: ranks of the world. Ends calls that wait for them, or for one that
  // has failed alone, or too long.
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
  // The call is in the engine while one of these lives.
  class InEngine {
   public:
    InEngine(InFlight& f, const SyCollective& call, uint64_t number) : number_(f.number) {
      f.kind.store(call.kind, std::memory_order_relaxed);
      f.number.store(number, std::memory_order_release);
    }
    ~InEngine() { number_.store(0, std::memory_order_release); }
    InEngine(const InEngine&) = delete;

   private:
    std::atomic<uint64_t>& number_;
  };
  void RunQueued(const SyCollective& call);  // a message, or a call behind others
  // Under engine_lock_. Usual calls are one question; ExecuteSlowly has all others.
  void Execute(const SyCollective& call);
  void ExecuteSlowly(const SyCollective& call, uint64_t number);
  void RunAlone(const SyCollective& call);
  void Check(const SyCollective& call, uint64_t number);
  // What is to be thrown for what is being handled: who, where, which call, why, and whose fault it
  // may be. The group is broken.
  Error Failure(const SyCollective& call, uint64_t number) noexcept;
  std::string WhoseFault(const SyCollective& call, uint64_t number);
  // The group is broken, and says so from now on: the error of this call.
  Error Break(const SyCollective& call, uint64_t number, ErrorCode code,
              std::string_view reason) noexcept;
  // The same of a rank that does not come to the call after `after`, in which others may be: the
  // engine ends it, or they hear of it from the watch.
  void GiveUp(uint64_t after, std::string_view what) noexcept;
  // "rank 1 has failed after call 3: mm(): …", for which no memory is asked.
  std::string_view FailureText(char (&room)[kText], uint64_t after, std::string_view what) const;
  void Spoil(std::string_view why) noexcept;  // what the group says from now on
  void RequireWhole() const;
  // Before a collective: where this rank has failed, waits until all have told whether they have.
  void Settle(const SyCollective& call, uint64_t number);
  std::string WhoElseHasNot();  // "" where all have failed where this rank has
  // A line for the others' watch.
  void TellAll(uint64_t number, uint64_t after, std::string_view text);
  std::string KeyOfFailure(uint64_t number, int rank) const;

  // Another rank's `number`-th failure, after so many calls.
  struct Told {
    int rank = 0;
    uint64_t number = 0, calls = 0;
    std::string text;
  };
  // Under mutex_: whether this rank has failed there as well.
  bool HasFailedToo(const Told& t) const;
  // Under mutex_: of ranks that have failed where this one has not, and so do not come to call
  // `number`.
  std::vector<Told> FailedAlone(uint64_t number) const;
  void Answer(const std::vector<Told>& alone);  // that this rank has not
  void TellGivenUp() noexcept;                  // [the world's watch] once
  void Serve();                                 // [its own thread] the queue

  // A call that was queued on a device, until it is done.
  struct Queued {
    std::string what;  // "OP(): rank …, call …"
    Event done;
  };
  Engine* DeviceEngine(const Device& device);
  std::string NameOf(const SyCollective& call, uint64_t number) const;
  std::string WhoHasEnded() const;  // under mutex_
  // Under mutex_: takes away what is done, and breaks the group where the first of the rest has
  // failed or waits too long.
  void LookAtDevice(std::chrono::steady_clock::time_point now);

  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> device_engine_;  // of the device that asked first
  bool asked_for_device_ = false;
  Device device_{kHost};
  const std::string device_engine_name_;
  const bool check_;
  const int64_t inline_bytes_;
  std::atomic<uint64_t> calls_{0}, messages_{0};
  InFlight collective_, message_;
  CallLock engine_lock_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::shared_ptr<Work> first_;  // of the queue
  Work* last_ = nullptr;
  std::thread thread_;
  bool stops_ = false;
  std::string broken_;  // why the group is of no use; has room for kText bytes
  std::vector<int> ended_;
  std::chrono::steady_clock::time_point noticed_;
  std::deque<Queued> on_device_;
  std::chrono::steady_clock::time_point first_since_;  // when the first of them became that
  std::vector<Told> told_;
  std::vector<uint64_t> failed_after_;                // this rank: so many calls, each time
  std::string last_failure_;                          // and the last one's text; has room as well
  std::optional<uint64_t> given_up_after_;            // so many, which the watch is to tell
  enum State : uint8_t { kWhole, kUnsure, kBroken };  // unsure: whether this rank has failed alone
  std::atomic<State> state_{kWhole};
  std::atomic<int> queued_{0};
};

// Marks a host tensor as the result of a call that is queued next: every operator that meets it
// waits. Nothing after this asks for memory.
void SetPending(const Tensor& t, const std::shared_ptr<Work>& work);
// The call that writes the storage is done.
void ForgetPending(const StorageImpl* storage);
// From here on whoever is about to read a device's memory on the host waits for what groups have
// queued there.
void WatchDeviceReads();
// In a thread of this rank's: it has failed in one of its groups, and nobody knows in which.
void ReportToAllGroups(std::string_view what) noexcept;
// From here on the groups are told of calls of collectives that there is no memory to begin.
void WatchCallsWithoutMemory();
// [whoever reads] Waits for all of this rank's groups. Errors: as Group::FinishOnDevice's.
void FinishOnDevice(const Device& device);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_WORK_INTERNAL_H_
