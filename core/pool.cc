#include "switchyard/core/pool.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/memory_stats.h"
#include "switchyard/core/thread_exit.h"

namespace sy {

constinit thread_local ThreadState thread_state SY_INITIAL_EXEC = {};

namespace internal {
namespace {

// A list of blocks that threads have handed over, in the first block's own words, so that freeing
// takes no memory. The first word links the blocks of the list.
struct Chain {
  void* rest;
  Chain* next;
  uint32_t blocks;
};

struct Central {
  std::mutex mutex;
  Chain* chains[kPoolClasses] = {};
  char *fresh = nullptr, *fresh_end = nullptr;  // memory that no block was cut from yet
  ThreadState* threads = nullptr;               // live threads that have allocated
  SmallBlockTotals exited = {0, 0, 0};          // sums of threads that are gone

  void Push(int k, void* first, uint32_t blocks) {
    auto* c = static_cast<Chain*>(first);
    c->next = chains[k];
    c->blocks = blocks;
    chains[k] = c;
  }
};

// Constant-initialised and never destroyed: threads may outlive static destruction.
union Forever {
  Central central;
  constexpr Forever() : central() {}
  ~Forever() {}
};
constinit Forever forever;
Central& central() { return forever.central; }

const AtFork at_fork{ForkRank::kMemory,
                     [](ForkPhase phase) { HoldAcross(phase, central().mutex); }};

void OnThreadExit(void*) {
  ThreadState& t = thread_state;
  while (ThreadExit* exit = t.exits) {
    t.exits = exit->next;
    exit->run(exit);
  }
  Central& c = central();
  std::lock_guard lock(c.mutex);
  for (int k = 0; k < kPoolClasses; ++k) {
    if (t.pool_head[k] != nullptr) c.Push(k, t.pool_head[k], kPoolKeep[k] - t.pool_room[k]);
    t.pool_head[k] = nullptr;
    t.pool_room[k] = 0;
  }
  c.exited.bytes += t.small_bytes.load(std::memory_order_relaxed);
  c.exited.allocations += t.small_allocations.load(std::memory_order_relaxed);
  c.exited.frees += t.small_frees.load(std::memory_order_relaxed);
  for (ThreadState** p = &c.threads; *p != nullptr; p = &(*p)->next) {
    if (*p == &t) {
      *p = t.next;
      break;
    }
  }
  // Destructors of the thread's other keys may still free blocks: they watch again.
  t.watched = false;
  t.small_bytes = 0;
  t.small_allocations = 0;
  t.small_frees = 0;
}

}  // namespace

// Memory of large tensors comes in large pages where the system grants them when asked: new memory
// is paid for by the page, and 4 KiB at a time that takes longer than to write it.
void* SystemAllocate(size_t bytes, size_t alignment) {
  constexpr size_t kLargePage = 2 << 20;
  const bool large = bytes >= 2 * kLargePage;
  if (large) alignment = std::max(alignment, kLargePage);
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (p == nullptr)
    Fail(ErrorCode::kOutOfMemory, {"cpu: out of memory: asked for ", bytes, " bytes"});
  if (large) madvise(p, rounded, MADV_HUGEPAGE);  // refused where there are none
  return p;
}

}  // namespace internal

void AtThreadExit(ThreadExit& node) noexcept {
  internal::WatchThread();
  node.next = std::exchange(thread_state.exits, &node);
}

namespace internal {

void WatchThread() {
  ThreadState& t = thread_state;
  if (t.watched) return;
  static pthread_key_t key;
  static const bool made = pthread_key_create(&key, OnThreadExit) == 0;
  // Without a key, or memory for its value, the thread is asked to be watched again later.
  if (!made || pthread_setspecific(key, &t) != 0) return;
  Central& c = central();
  std::lock_guard lock(c.mutex);
  t.next = c.threads;
  c.threads = &t;
  t.watched = true;
}

// Blocks are cut from fresh memory a page at a time: a program that makes a few tensors touches a
// few pages.
void* PoolRefill(int k) {
  constexpr size_t kPageBytes = 4096, kSlabBytes = 8 * kPageBytes;
  WatchThread();
  ThreadState& t = thread_state;
  Central& c = central();
  std::lock_guard lock(c.mutex);
  if (Chain* chain = c.chains[k]; chain != nullptr) {
    c.chains[k] = chain->next;
    t.pool_head[k] = chain;
    t.pool_room[k] = kPoolKeep[k] - chain->blocks;
    return PoolAllocate(k);
  }
  if (c.fresh == c.fresh_end) {
    c.fresh = static_cast<char*>(SystemAllocate(kSlabBytes, kPageBytes));
    c.fresh_end = c.fresh + kSlabBytes;
  }
  const size_t bytes = kPoolBlockBytes[k], n = kPageBytes / bytes;
  for (size_t i = n; i-- > 0;) {
    *reinterpret_cast<void**>(c.fresh + i * bytes) = t.pool_head[k];
    t.pool_head[k] = c.fresh + i * bytes;
  }
  t.pool_room[k] = kPoolKeep[k] - static_cast<uint32_t>(n);
  c.fresh += kPageBytes;
  return PoolAllocate(k);
}

// There is one block more than there was room for: the thread's first, or half of the list goes. A
// thread that cannot be watched keeps none.
void PoolFlush(int k) {
  WatchThread();
  ThreadState& t = thread_state;
  void* first = t.pool_head[k];
  const bool only = *static_cast<void**>(first) == nullptr;
  if (only && t.watched) {
    t.pool_room[k] = kPoolKeep[k] - 1;
    return;
  }
  const uint32_t n = only ? 1 : kPoolKeep[k] / 2;
  void* last = first;
  for (uint32_t i = 1; i < n; ++i) last = *static_cast<void**>(last);
  t.pool_head[k] = *static_cast<void**>(last);
  t.pool_room[k] = n - 1;
  *static_cast<void**>(last) = nullptr;
  Central& c = central();
  std::lock_guard lock(c.mutex);
  c.Push(k, first, n);
}

SmallBlockTotals SumSmallBlocks() {
  Central& c = central();
  std::lock_guard lock(c.mutex);
  SmallBlockTotals sum = c.exited;
  for (ThreadState* t = c.threads; t != nullptr; t = t->next) {
    sum.bytes += t->small_bytes.load(std::memory_order_relaxed);
    sum.allocations += t->small_allocations.load(std::memory_order_relaxed);
    sum.frees += t->small_frees.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace internal
}  // namespace sy
