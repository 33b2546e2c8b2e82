// OpenMP's runtime, GCC's libgomp, opened when several threads are first wanted: few calls want
// them, and loading it would cost every program a part of its start (docs/performance.md).
//
//   if (const OpenMp* omp = OpenMpRuntime()) omp->parallel(Work, &data, 4, 0);
//
// Owns: the library, open until the process ends; a program that links it already shares it.
// Threads: any. Errors: none; null where the library is missing, which is logged once.
// Source: The GNU Offloading and Multi Processing Runtime Library, "Implementing PARALLEL
// construct" and "Runtime Library Routines".
#ifndef SWITCHYARD_BACKENDS_CPU_OPENMP_H_
#define SWITCHYARD_BACKENDS_CPU_OPENMP_H_

#include "switchyard/core/macros.h"

namespace sy::cpu {

struct OpenMp {
  // Runs fn(data) in that many threads, the calling one among them, and waits for all.
  void (*parallel)(void (*fn)(void* data), void* data, unsigned threads, unsigned flags);
  int (*thread_num)();   // in a parallel region: 0 … num_threads() - 1
  int (*num_threads)();  // of the region
  int (*in_parallel)();
  int (*max_threads)();
  void (*set_num_threads)(int n);
};

SY_API const OpenMp* OpenMpRuntime();

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_OPENMP_H_
