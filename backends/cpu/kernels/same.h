// A kernel of operators that change no element of some dtypes: roundings of integers, conjugates of
// real numbers.
//
// Owns: nothing. Threads: any; large copies are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SAME_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SAME_H_

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

inline void Same(Call, const Tensor& out, const Tensor& self) { CopyElements(out, self); }

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SAME_H_
