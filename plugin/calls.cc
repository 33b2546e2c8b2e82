#include "plugin/calls.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"

namespace sy::plugin {

constinit thread_local ThreadCalls* thread_calls SY_INITIAL_EXEC = nullptr;

std::atomic<bool> forked{false};

namespace {

// Pushed at the front, never taken out.
constinit std::atomic<ThreadCalls*> all_threads{nullptr};

bool HasMembarrier() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}
// Sanitizers do not know of membarrier.
bool NeedsFence() {
  static const bool needs = SY_SANITIZED || !HasMembarrier();
  return needs;
}

// This thread's, until it ends.
constinit thread_local ThreadCalls* mine = nullptr;

void OnThreadExit(ThreadExit* calls) {
  mine = nullptr;
  thread_calls = nullptr;
  static_cast<ThreadCalls*>(calls)->used.store(false, std::memory_order_release);
}

ThreadCalls* TakeThreadCalls() {
  for (ThreadCalls* t = all_threads.load(std::memory_order_acquire); t != nullptr;
       t = t->next_of_all) {
    bool used = false;
    if (t->used.compare_exchange_strong(used, true, std::memory_order_acq_rel)) return t;
  }
  auto* t = new ThreadCalls{};
  t->used.store(true, std::memory_order_relaxed);
  t->next_of_all = all_threads.load(std::memory_order_relaxed);
  while (!all_threads.compare_exchange_weak(t->next_of_all, t, std::memory_order_acq_rel)) {
  }
  return t;
}

void CountThisThread() {
  ThreadCalls* t = TakeThreadCalls();
  t->run = OnThreadExit;
  AtThreadExit(*t);
  mine = t;
}

}  // namespace

std::atomic<uint32_t>* CountSlowly(int slot, uint32_t* before) {
  if (mine == nullptr) CountThisThread();
  if (!NeedsFence()) thread_calls = mine;
  std::atomic<uint32_t>* count = &mine->inside[slot];
  *before = count->load(std::memory_order_relaxed);
  count->exchange(*before + 1, std::memory_order_seq_cst);
  return count;
}

namespace {
constinit std::mutex slots_mutex;
constinit int slots = 0;  // that have been given
const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, slots_mutex);
                                 if (phase == internal::ForkPhase::kInChild && slots > 0)
                                   forked.store(true, std::memory_order_relaxed);
                               }};
}  // namespace

int SlotOf(std::string_view name) {
  static auto* names = new std::vector<std::string>;
  std::lock_guard lock(slots_mutex);
  for (int i = 0; i < slots; ++i) {
    if ((*names)[static_cast<size_t>(i)] == name) return i;
  }
  if (slots == kMaxSlots) {
    Fail(ErrorCode::kUnavailable, {"'", name, "': a process loads at most ", kMaxSlots,
                                   " different plugins and devices of plugins in its life"});
  }
  names->emplace_back(name);
  return slots++;
}

int64_t CallsInside(int slot, int64_t* here) {
  if (!NeedsFence()) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  int64_t n = 0;
  // Writes what it reads: without a barrier in the other threads, who counts itself after this sees
  // the plugin closed.
  for (ThreadCalls* t = all_threads.load(std::memory_order_acquire); t != nullptr;
       t = t->next_of_all)
    n += t->inside[slot].fetch_add(0, std::memory_order_seq_cst);
  *here = mine == nullptr ? 0 : mine->inside[slot].load(std::memory_order_relaxed);
  return n;
}

}  // namespace sy::plugin
