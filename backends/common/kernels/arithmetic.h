// The kernels of group arithmetic that are written once for all backends.
//
//   const ArithmeticKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_H_

#include "switchyard/backends/common/kernels/arithmetic/add.h"
#include "switchyard/backends/common/kernels/arithmetic/clamp.h"
#include "switchyard/backends/common/kernels/arithmetic/div.h"
#include "switchyard/backends/common/kernels/arithmetic/masked_fill.h"
#include "switchyard/backends/common/kernels/arithmetic/nan_to_num.h"
#include "switchyard/backends/common/kernels/arithmetic/pow.h"

namespace sy {

template <class E>
struct ArithmeticKernels {
  AddKernels<E> add;
  ClampKernels<E> clamp;
  DivKernels<E> div;
  MaskedFillKernels<E> masked_fill;
  NanToNumKernels<E> nan_to_num;
  PowKernels<E> pow;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_H_
