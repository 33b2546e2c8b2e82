#include "switchyard/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

#include "switchyard/core/error.h"
#include "switchyard/core/flush_denormal.h"
#include "switchyard/core/openmp.h"

namespace sy {
namespace {

std::atomic<int> num_threads{0};  // 0: not asked yet

}  // namespace

int NumThreads() {
  int n = num_threads.load(std::memory_order_relaxed);
  if (n == 0) [[unlikely]] {
    const OpenMp* omp = OpenMpRuntime();
    if (omp == nullptr) return 1;
    n = std::max(1, omp->max_threads());
    num_threads.store(n, std::memory_order_relaxed);
  }
  return n;
}

void SetNumThreads(int n) {
  if (n < 1) Fail(ErrorCode::kInvalidArgument, {"set_num_threads(): expected at least 1, got ", n});
  num_threads.store(n, std::memory_order_relaxed);
}

namespace internal {
namespace {

// What the threads of one call share.
struct Region {
  const OpenMp& omp;
  int64_t n;
  RangeFn fn;
  void* context;
  bool flushes_denormal;  // as the calling thread does
  std::mutex mutex;
  std::exception_ptr error;
};

// The thread sanitizer does not know how OpenMP's threads wait for one another.
void HandOver([[maybe_unused]] Region& r) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(&r);
#endif
}
void TakeOver([[maybe_unused]] Region& r) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(&r);
#endif
}

void RunShare(void* data) {
  auto& r = *static_cast<Region*>(data);
  TakeOver(r);
  set_flush_denormal(r.flushes_denormal);
  const int64_t id = r.omp.thread_num(), threads = r.omp.num_threads();
  const int64_t each = (r.n + threads - 1) / threads;
  const int64_t begin = std::min(r.n, id * each), end = std::min(r.n, begin + each);
  try {
    if (begin < end) r.fn(r.context, begin, end);
  } catch (...) {
    std::lock_guard lock(r.mutex);
    if (r.error == nullptr) r.error = std::current_exception();
  }
  HandOver(r);
}

}  // namespace

void RunParallel(int64_t n, int64_t grain, RangeFn fn, void* context) {
  const int64_t wanted =
      std::min<int64_t>(NumThreads(), (n + grain - 1) / std::max<int64_t>(grain, 1));
  const OpenMp* omp = wanted <= 1 ? nullptr : OpenMpRuntime();
  if (omp == nullptr || omp->in_parallel() != 0) return fn(context, 0, n);
  Region region{*omp, n, fn, context, flushes_denormal(), {}, {}};
  HandOver(region);
  omp->parallel(RunShare, &region, static_cast<unsigned>(wanted), 0);
  TakeOver(region);
  if (region.error != nullptr) std::rethrow_exception(region.error);
}

}  // namespace internal
}  // namespace sy
