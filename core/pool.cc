#include "switchyard/core/pool.h"

#include <pthread.h>

#include <mutex>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/memory_stats.h"

namespace sy {

constinit thread_local ThreadState thread_state SY_INITIAL_EXEC = {};

namespace internal {
namespace {

struct Chain {
  void* first;
  uint32_t blocks;
};

struct Central {
  std::mutex mutex;
  std::vector<Chain> chains[kPoolClasses];
  ThreadState* threads = nullptr;       // live threads that have allocated
  SmallBlockTotals exited = {0, 0, 0};  // sums of threads that are gone
};

// Never destroyed: threads may outlive static destruction.
Central& central() {
  static Central* c = new Central;
  return *c;
}

void OnThreadExit(void*) {
  ThreadState& t = thread_state;
  Central& c = central();
  std::lock_guard lock(c.mutex);
  for (int k = 0; k < kPoolClasses; ++k) {
    if (t.pool_head[k] != nullptr) c.chains[k].push_back({t.pool_head[k], t.pool_count[k]});
    t.pool_head[k] = nullptr;
    t.pool_count[k] = 0;
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
  // Destructors of thread-locals that run after this one may still free blocks: they watch again.
  t.watched = false;
  t.small_bytes = 0;
  t.small_allocations = 0;
  t.small_frees = 0;
}

}  // namespace

void* SystemAllocate(size_t bytes, size_t alignment) {
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (p == nullptr)
    Fail(ErrorCode::kOutOfMemory, {"cpu: out of memory: asked for ", bytes, " bytes"});
  return p;
}

void WatchThread() {
  ThreadState& t = thread_state;
  if (t.watched) return;
  static pthread_key_t key = [] {
    pthread_key_t k;
    pthread_key_create(&k, OnThreadExit);
    return k;
  }();
  pthread_setspecific(key, &t);
  Central& c = central();
  std::lock_guard lock(c.mutex);
  t.next = c.threads;
  c.threads = &t;
  t.watched = true;
}

void* PoolRefill(int k) {
  constexpr size_t kSlabBytes = 32 << 10;
  WatchThread();
  ThreadState& t = thread_state;
  {
    Central& c = central();
    std::lock_guard lock(c.mutex);
    if (!c.chains[k].empty()) {
      t.pool_head[k] = c.chains[k].back().first;
      t.pool_count[k] = c.chains[k].back().blocks;
      c.chains[k].pop_back();
    }
  }
  if (t.pool_head[k] == nullptr) {
    const size_t bytes = kPoolBlockBytes[k], n = kSlabBytes / bytes;
    char* slab = static_cast<char*>(SystemAllocate(kSlabBytes, 4096));
    for (size_t i = n; i-- > 0;) {
      *reinterpret_cast<void**>(slab + i * bytes) = t.pool_head[k];
      t.pool_head[k] = slab + i * bytes;
    }
    t.pool_count[k] = static_cast<uint32_t>(n);
  }
  return PoolAllocate(k);
}

void PoolFlush(int k) {
  WatchThread();
  ThreadState& t = thread_state;
  const uint32_t n = kPoolKeep[k] / 2;
  void* first = t.pool_head[k];
  void* last = first;
  for (uint32_t i = 1; i < n; ++i) last = *static_cast<void**>(last);
  t.pool_head[k] = *static_cast<void**>(last);
  t.pool_count[k] -= n;
  *static_cast<void**>(last) = nullptr;
  Central& c = central();
  std::lock_guard lock(c.mutex);
  c.chains[k].push_back({first, n});
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
