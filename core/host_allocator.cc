#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/pool.h"
#include "switchyard/core/size_class.h"

namespace sy {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static_assert(SY_SANITIZED, "choose a sanitizer by --config, which tells the headers too");
#endif

void Add(std::atomic<int64_t>& counter, int64_t n) {  // one writer: no locked instruction
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

// Blocks that were freed, for reuse: the system clears every page that it gives, which takes longer
// than most operators take to fill it.
class KeptBlocks {
 public:
  static constexpr size_t kLeast = 1 << 16;  // smaller ones malloc keeps well

  constexpr KeptBlocks() = default;
  // What a block of that many bytes is rounded up to. 0: too large for any.
  static size_t Capacity(size_t bytes) {
    const size_t rounded = SizeClass(bytes, 1);
    return rounded >> kMaxBits != 0 ? 0 : rounded;
  }
  void* Take(size_t capacity) {
    std::lock_guard lock(mutex_);
    List& list = lists_[SizeClassIndex(capacity, kMinBits)];
    Block* b = list.head;
    if (b != nullptr) {
      list.head = b->next;
      Count(list, -static_cast<int64_t>(capacity));
    }
    return b;
  }
  void Give(void* p, size_t capacity) noexcept {
    std::lock_guard lock(mutex_);
    List& list = lists_[SizeClassIndex(capacity, kMinBits)];
    list.head = new (p) Block{list.head, static_cast<int64_t>(capacity)};
    Count(list, static_cast<int64_t>(capacity));
  }
  // Frees at least so many bytes, or all there are: of the sizes that hold most, which are those
  // that are least likely to be all wanted again.
  void Release(int64_t bytes) noexcept {
    std::lock_guard lock(mutex_);
    while (bytes > 0 && held_.load(std::memory_order_relaxed) > 0) {
      List& list = *std::max_element(std::begin(lists_), std::end(lists_),
                                     [](const List& a, const List& b) { return a.held < b.held; });
      Block* const b = std::exchange(list.head, list.head->next);
      bytes -= b->capacity;
      Count(list, -b->capacity);
      std::free(b);
    }
  }
  void Trim() noexcept { Release(std::numeric_limits<int64_t>::max()); }
  int64_t bytes() const { return held_.load(std::memory_order_relaxed); }
  std::mutex& mutex() { return mutex_; }

 private:
  struct Block {
    Block* next;
    int64_t capacity;
  };
  struct List {
    Block* head = nullptr;
    int64_t held = 0;  // bytes
  };
  static constexpr int kMinBits = 16, kMaxBits = 44;  // capacities: 2^16 … 2^44 - 1

  void Count(List& list, int64_t bytes) {
    list.held += bytes;
    held_.fetch_add(bytes, std::memory_order_relaxed);
  }

  std::mutex mutex_;
  List lists_[8 * (kMaxBits - kMinBits)] = {};
  std::atomic<int64_t> held_{0};
};

// Apart from the rest, so that they take no room in a program's file.
constinit KeptBlocks kept_large, kept_medium;
constexpr size_t kLarge = 1 << 20;
// Bytes of medium blocks held, whatever is alive: as many as malloc would keep of them.
constexpr int64_t kMostMedium = int64_t{32} << 20;

const internal::AtFork at_fork{internal::ForkRank::kMemory, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, kept_large.mutex());
                                 internal::HoldAcross(phase, kept_medium.mutex());
                               }};

KeptBlocks& KeptOf(size_t capacity) { return capacity < kLarge ? kept_medium : kept_large; }
void TrimKept() noexcept {
  kept_large.Trim();
  kept_medium.Trim();
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
      return {p, ContextOf(kPooled + k)};
    }
    const Allocation a = AllocateLarge(r);
    const int64_t n = static_cast<int64_t>(r.bytes);
    const int64_t now = large_bytes_.fetch_add(n, std::memory_order_relaxed) + n;
    large_allocations_.fetch_add(1, std::memory_order_relaxed);
    Raise(large_peak_, now);
    Raise(most_, now);
    return a;
  }

  void Free(const Allocation& a, size_t bytes) noexcept override {
    const auto kind = static_cast<int>(reinterpret_cast<intptr_t>(a.context));
    if (kind >= kPooled) {
      ThreadState& t = thread_state;
      if (!t.watched) [[unlikely]]
        internal::WatchThread();
      Add(t.small_bytes, -static_cast<int64_t>(bytes));
      Add(t.small_frees, 1);
      return PoolFree(a.data, kind - kPooled);
    }
    const size_t capacity = kind == kKept ? KeptBlocks::Capacity(bytes) : 0;
    const bool full = capacity < kLarge && kept_medium.bytes() >= kMostMedium;
    if (capacity == 0 || full) {
      std::free(a.data);
    } else {
      KeptOf(capacity).Give(a.data, capacity);
    }
    large_bytes_.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
    large_frees_.fetch_add(1, std::memory_order_relaxed);
  }

  MemoryStats Stats(int) const override {
    const internal::SmallBlockTotals small = internal::SumSmallBlocks();
    MemoryStats s;
    s.allocated_bytes = small.bytes + large_bytes_.load(std::memory_order_relaxed);
    s.peak_bytes = small.bytes + large_peak_.load(std::memory_order_relaxed);
    s.reserved_bytes = s.allocated_bytes + kept_large.bytes() + kept_medium.bytes();
    s.allocations = small.allocations + large_allocations_.load(std::memory_order_relaxed);
    s.frees = small.frees + large_frees_.load(std::memory_order_relaxed);
    return s;
  }

  void ResetPeak(int) override { large_peak_.store(large_bytes_.load(std::memory_order_relaxed)); }
  void Trim() override { TrimKept(); }

 private:
  // What is held and alive may come to a part more than what was once alive at one time: blocks of
  // the sizes that are asked for next are not always those that were freed last.
  static constexpr int64_t kMore = 8;

  // Allocation::context says what becomes of a block that is freed.
  enum Kind : int { kSystems, kKept, kPooled };  // kPooled + its size class
  static void* ContextOf(int kind) { return reinterpret_cast<void*>(intptr_t{kind}); }

  static void Raise(std::atomic<int64_t>& most, int64_t now) {
    int64_t seen = most.load(std::memory_order_relaxed);
    while (now > seen && !most.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
    }
  }
  Allocation AllocateLarge(const AllocationRequest& r) {
    const size_t capacity = SY_SANITIZED || r.alignment > 64 || r.bytes < KeptBlocks::kLeast
                                ? 0
                                : KeptBlocks::Capacity(r.bytes);
    if (capacity == 0)
      return {Fresh(r.bytes, std::max<size_t>(r.alignment, 64)), ContextOf(kSystems)};
    if (void* p = KeptOf(capacity).Take(capacity)) return {p, ContextOf(kKept)};
    const int64_t held = kept_large.bytes(), alive = large_bytes_.load(std::memory_order_relaxed),
                  most = most_.load(std::memory_order_relaxed);
    if (capacity >= kLarge)
      kept_large.Release(held + alive + static_cast<int64_t>(capacity) - most - most / kMore);
    return {Fresh(capacity, 64), ContextOf(kKept)};
  }
  // From the system, which may have given away what is held here.
  static void* Fresh(size_t bytes, size_t alignment) {
    if (kept_large.bytes() + kept_medium.bytes() == 0)
      return internal::SystemAllocate(bytes, alignment);
    try {
      return internal::SystemAllocate(bytes, alignment);
    } catch (...) {
      TrimKept();
      return internal::SystemAllocate(bytes, alignment);
    }
  }

  std::atomic<int64_t> large_bytes_{0}, large_allocations_{0}, large_frees_{0}, large_peak_{0};
  std::atomic<int64_t> most_{0};  // large bytes alive at once, since the start of the process
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
