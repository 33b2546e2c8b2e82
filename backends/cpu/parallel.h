// The one way in which the cpu backend uses several threads.
//
//   ParallelFor(n, 4096, [&](int64_t begin, int64_t end) { … });
//
// Ranges are disjoint, cover 0 … n and may run at the same time; a nested call runs in the calling
// thread alone.
// Threads: any. Errors: what the function throws in any thread is thrown here, once all are done.
#ifndef SWITCHYARD_BACKENDS_CPU_PARALLEL_H_
#define SWITCHYARD_BACKENDS_CPU_PARALLEL_H_

#include <cstdint>
#include <type_traits>

#include "switchyard/core/macros.h"

namespace sy::cpu {

// Threads that an operator may use; all cores of the process unless set.
SY_API int NumThreads();
SY_API void SetNumThreads(int n);  // Errors: kInvalidArgument below 1.

namespace internal {
using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
SY_API void RunParallel(int64_t n, int64_t grain, RangeFn fn, void* context);
}  // namespace internal

// grain: the fewest iterations worth a thread of their own.
template <class F>
void ParallelFor(int64_t n, int64_t grain, F&& f) {
  if (n <= 0) return;
  if (n <= grain) return f(int64_t{0}, n);
  const auto run = [](void* c, int64_t begin, int64_t end) {
    (*static_cast<std::remove_reference_t<F>*>(c))(begin, end);
  };
  internal::RunParallel(n, grain, run, const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_PARALLEL_H_
