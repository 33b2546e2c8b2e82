// Copies elements between any two layouts, converting them.
//
//   CopyElements(out, source);   // source broadcasts to out's sizes
//
// Owns: nothing. Threads: any; large copies are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_

#include "switchyard/backends/cpu/engine/iteration.h"

namespace sy::cpu {

// Operand 0 becomes operand 1; they do not overlap. Sizes are not 0. `it` is coalesced on the way.
void CopyElements(Iteration& it);
void CopyElements(const Tensor& out, const Tensor& source);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_
