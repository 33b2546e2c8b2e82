// Who is inside a plugin's code: counted per thread, so that a call costs two plain stores, and
// summed when a plugin is to be unloaded.
//
//   CallScope scope(slot);                                // then look whether it is still loaded
//   …                                                     // and run its code
//
// The one who unloads first marks the plugin as closed, then calls CallsInside: a memory barrier in
// all threads (membarrier(2)) makes sure that each has either seen the mark or is counted.
// Owns: counters live for the process; threads that end hand theirs to others.
// Threads: any.
#ifndef PLUGIN_CALLS_H_
#define PLUGIN_CALLS_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "switchyard/core/macros.h"
#include "switchyard/core/thread_exit.h"

namespace sy::plugin {

// Plugins and devices that a process may load in its life, counting those of one name once.
inline constexpr int kMaxSlots = 256;

struct ThreadCalls : ThreadExit {
  std::atomic<uint32_t> inside[kMaxSlots];
  std::atomic<bool> used;
  ThreadCalls* next_of_all;
};

// Of this thread; null until its first call, and always where the system has no membarrier.
extern constinit thread_local ThreadCalls* thread_calls SY_INITIAL_EXEC;

// Counts a call in a thread without `thread_calls`; what it was before goes to *before.
SY_COLD std::atomic<uint32_t>* CountSlowly(int slot, uint32_t* before);

class CallScope {
 public:
  SY_INLINE explicit CallScope(int slot) {
    ThreadCalls* t = thread_calls;
    if (t == nullptr) [[unlikely]] {
      count_ = CountSlowly(slot, &before_);
      return;
    }
    count_ = &t->inside[slot];
    before_ = count_->load(std::memory_order_relaxed);
    count_->store(before_ + 1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // Calls nest: what was counted in between has been taken back.
  ~CallScope() { count_->store(before_, std::memory_order_release); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  std::atomic<uint32_t>* count_;
  uint32_t before_;
};

// The slot of a plugin's name, or of a device's, which is the same whatever plugin has the device:
// who is about to enter need not know. Errors: kUnavailable when there are no more.
int SlotOf(std::string_view name);
// Calls inside, after a barrier; `here`: of this thread.
int64_t CallsInside(int slot, int64_t* here);

// Whether this process is the child of one that had loaded plugins.
extern std::atomic<bool> forked;
inline bool Forked() { return forked.load(std::memory_order_relaxed); }

}  // namespace sy::plugin

#endif  // PLUGIN_CALLS_H_
