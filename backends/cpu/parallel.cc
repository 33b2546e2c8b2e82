#include "switchyard/backends/cpu/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "switchyard/core/error.h"

namespace sy::cpu {
namespace {

std::atomic<int> num_threads{0};  // 0: not asked yet

}  // namespace

int NumThreads() {
  int n = num_threads.load(std::memory_order_relaxed);
  if (n == 0) [[unlikely]] {
    n = std::max(1, omp_get_max_threads());
    num_threads.store(n, std::memory_order_relaxed);
  }
  return n;
}

void SetNumThreads(int n) {
  if (n < 1) Fail(ErrorCode::kInvalidArgument, {"set_num_threads(): expected at least 1, got ", n});
  num_threads.store(n, std::memory_order_relaxed);
}

namespace internal {

void RunParallel(int64_t n, int64_t grain, RangeFn fn, void* context) {
  const int64_t wanted =
      std::min<int64_t>(NumThreads(), (n + grain - 1) / std::max<int64_t>(grain, 1));
  if (wanted <= 1 || omp_in_parallel()) return fn(context, 0, n);
  std::exception_ptr error;
  std::mutex mutex;
#pragma omp parallel num_threads(static_cast <int>(wanted))
  {
    const int64_t id = omp_get_thread_num(), threads = omp_get_num_threads();
    const int64_t each = (n + threads - 1) / threads;
    const int64_t begin = std::min(n, id * each), end = std::min(n, begin + each);
    try {
      if (begin < end) fn(context, begin, end);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (error == nullptr) error = std::current_exception();
    }
  }
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace internal
}  // namespace sy::cpu
