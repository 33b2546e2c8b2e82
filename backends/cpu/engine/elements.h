// Copies elements between any two layouts, converting them, where the caller lays out the iteration
// itself; copy.h copies between tensors.
//
//   CopyElements(it);   // of two operands
//
// Owns: nothing. Threads: any; large copies are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_

#include "switchyard/backends/cpu/engine/iteration.h"

namespace sy::cpu {

// Operand 0 becomes operand 1; they do not overlap. Sizes are not 0. `it` is coalesced on the way.
void CopyElements(Iteration& it);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ELEMENTS_H_
