// Whether numbers too small for a full mantissa (denormal ones) count as 0.
//
//   sy::set_flush_denormal(true);   // as operands and as results, of this thread's operators
//
// Processors take many times as long for such numbers as for others. It is the calling thread's own
// setting, off until set; the threads that help an operator (core/parallel.h) compute as the one
// that called it does. Devices other than the host do not know of it.
// Owns: two bits of the thread's control register: MXCSR's FTZ and DAZ, or FPCR's FZ and FZ16. Who
// writes that register itself changes the setting.
// Threads: each its own; a new thread starts as the one that made it.
// Errors: none.
#ifndef SWITCHYARD_CORE_FLUSH_DENORMAL_H_
#define SWITCHYARD_CORE_FLUSH_DENORMAL_H_

#include "switchyard/core/macros.h"

namespace sy {

// False, and nothing done, where the processor has no such mode. torch.set_flush_denormal.
SY_API bool set_flush_denormal(bool mode);
// Of this thread.
SY_API bool flushes_denormal();

}  // namespace sy

#endif  // SWITCHYARD_CORE_FLUSH_DENORMAL_H_
