// OpenMP's runtime, GCC's libgomp, opened when several threads are first wanted: few calls want
// them, and loading it would cost every program a part of its start (docs/performance.md).
//
//   if (const OpenMp* omp = OpenMpRuntime()) omp->parallel(Work, &data, 4, 0);
//
// A program that links it already shares it; nothing that the program has set is changed.
// Owns: the library, open until the process ends.
// Threads: any. Errors: none; null where the library is missing, which is logged once, while memory
// is too short to open it, and in a child of a process that had opened it: OpenMP's threads are not
// there, and it does not notice.
// Source: The GNU Offloading and Multi Processing Runtime Library, "Implementing PARALLEL
// construct" and "Runtime Library Routines".
#ifndef SWITCHYARD_CORE_OPENMP_H_
#define SWITCHYARD_CORE_OPENMP_H_

#include "switchyard/core/macros.h"

namespace sy {

// The functions of the runtime that are used here.
struct OpenMp {
  // Runs fn(data) in that many threads, the calling one among them, and waits for all.
  void (*parallel)(void (*fn)(void* data), void* data, unsigned threads, unsigned flags);
  int (*thread_num)();   // in a parallel region: 0 … num_threads() - 1
  int (*num_threads)();  // of the region
  int (*in_parallel)();
  int (*max_threads)();
};

// The runtime, opened at the first call; null as above.
SY_API const OpenMp* OpenMpRuntime() noexcept;
// In such a child: what uses OpenMP would wait for ever.
SY_API bool OpenMpThreadsAreGone() noexcept;

}  // namespace sy

#endif  // SWITCHYARD_CORE_OPENMP_H_
