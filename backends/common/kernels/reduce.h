// The kernels of group reduce that are written once for all backends.
//
//   const ReduceKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_H_

#include "switchyard/backends/common/kernels/reduce/all.h"
#include "switchyard/backends/common/kernels/reduce/max.h"
#include "switchyard/backends/common/kernels/reduce/norm.h"
#include "switchyard/backends/common/kernels/reduce/std.h"
#include "switchyard/backends/common/kernels/reduce/sum.h"

namespace sy {

template <class E>
struct ReduceKernels {
  AllKernels<E> all;
  MaxKernels<E> max;
  NormKernels<E> norm;
  StdKernels<E> std;
  SumKernels<E> sum;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_H_
