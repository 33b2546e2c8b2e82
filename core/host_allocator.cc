#include <algorithm>
#include <atomic>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/pool.h"

namespace sy {
namespace {

void Add(std::atomic<int64_t>& counter, int64_t n) {  // one writer: no locked instruction
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

class Host final : public Allocator {
 public:
  Allocation Allocate(const AllocationRequest& r) override {
    if (const size_t need = std::max(r.bytes, r.alignment); need <= kPoolMaxBytes) {
      const int k = PoolClass(need);
      void* p = PoolAllocate(k);
      ThreadState& t = thread_state;
      if (!t.watched) [[unlikely]]
        internal::WatchThread();
      Add(t.small_bytes, static_cast<int64_t>(r.bytes));
      Add(t.small_allocations, 1);
      return {p, reinterpret_cast<void*>(intptr_t{k + 1})};
    }
    void* p = internal::SystemAllocate(r.bytes, std::max<size_t>(r.alignment, 64));
    const int64_t n = static_cast<int64_t>(r.bytes);
    const int64_t now = large_bytes_.fetch_add(n, std::memory_order_relaxed) + n;
    large_allocations_.fetch_add(1, std::memory_order_relaxed);
    int64_t seen = large_peak_.load(std::memory_order_relaxed);
    while (now > seen && !large_peak_.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
    }
    return {p, nullptr};
  }

  void Free(const Allocation& a, size_t bytes) noexcept override {
    if (a.context != nullptr) {  // size class + 1
      ThreadState& t = thread_state;
      if (!t.watched) [[unlikely]]
        internal::WatchThread();
      Add(t.small_bytes, -static_cast<int64_t>(bytes));
      Add(t.small_frees, 1);
      return PoolFree(a.data, static_cast<int>(reinterpret_cast<intptr_t>(a.context)) - 1);
    }
    std::free(a.data);
    large_bytes_.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
    large_frees_.fetch_add(1, std::memory_order_relaxed);
  }

  MemoryStats Stats(int) const override {
    const internal::SmallBlockTotals small = internal::SumSmallBlocks();
    MemoryStats s;
    s.allocated_bytes = small.bytes + large_bytes_.load(std::memory_order_relaxed);
    s.peak_bytes = small.bytes + large_peak_.load(std::memory_order_relaxed);
    s.reserved_bytes = s.allocated_bytes;
    s.allocations = small.allocations + large_allocations_.load(std::memory_order_relaxed);
    s.frees = small.frees + large_frees_.load(std::memory_order_relaxed);
    return s;
  }

  void ResetPeak(int) override { large_peak_.store(large_bytes_.load(std::memory_order_relaxed)); }

 private:
  std::atomic<int64_t> large_bytes_{0}, large_allocations_{0}, large_frees_{0}, large_peak_{0};
};

// Constant-initialised and never destroyed: tensors may live before main and after static
// destruction.
union Forever {
  Host host;
  constexpr Forever() : host() {}
  ~Forever() {}
};
constinit Forever forever;

}  // namespace

constinit RowInfo row_info[kMaxRows] = {{nullptr, 0}, {&forever.host, 64}};

Allocator* HostAllocator() { return &forever.host; }

}  // namespace sy
