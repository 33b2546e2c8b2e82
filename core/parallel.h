// The one way in which the cpu backend uses several threads.
//
//   ParallelFor(n, 4096, [&](int64_t begin, int64_t end) { … });
//
// Ranges are disjoint, cover 0 … n and may run at the same time; a nested call runs in the calling
// thread alone.
// Threads: any. Errors: what the function throws in any thread is thrown here, once all are done.
#ifndef SWITCHYARD_CORE_PARALLEL_H_
#define SWITCHYARD_CORE_PARALLEL_H_

#include <cstdint>
#include <type_traits>

#include "switchyard/core/macros.h"

namespace sy {

// Threads that an operator may use, at least 1: what OpenMP says when first asked (OMP_NUM_THREADS,
// else all cores of the process) unless set; 1 where OpenMP is not there. at::get_num_threads.
SY_API int NumThreads();
// For the whole process, from the next call on; 1 keeps every operator in the calling thread.
SY_API void SetNumThreads(int n);  // Errors: kInvalidArgument below 1.

namespace internal {
using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
// Runs fn over 0 … n in ranges of equal length, one a thread.
SY_API void RunParallel(int64_t n, int64_t grain, RangeFn fn, void* context);
}  // namespace internal

// f(begin, end) for ranges of 0 … n; returns when all are done. grain: the fewest iterations worth
// a thread of their own; up to it f runs in the calling thread, and n <= 0 calls nothing.
// at::parallel_for.
template <class F>
void ParallelFor(int64_t n, int64_t grain, F&& f) {
  if (n <= 0) return;
  if (n <= grain) return f(int64_t{0}, n);
  const auto run = [](void* c, int64_t begin, int64_t end) {
    (*static_cast<std::remove_reference_t<F>*>(c))(begin, end);
  };
  internal::RunParallel(n, grain, run, const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_PARALLEL_H_
