// Opens now what operators of the cpu device open when they first need it.
//
//   sy::cpu::Init();   // as torch.cuda.init(): the first matmul has nothing left to open
//
// OpenMP's runtime, OpenBLAS, oneDNN and SLEEF. Some of them end the process when their start-up
// code gets no memory: a program that may run short calls this while there is plenty. It is also
// for those that want the time (8 ms) at a moment of their own, or that give up the right to open
// files later.
// Owns: nothing; libraries stay open until the process ends.
// Threads: any.
// Errors: kOutOfMemory when there is too little to open one of them: what is open stays so, and the
// next call tries again. What is not installed is left out: operators that need it say so.
#ifndef SWITCHYARD_BACKENDS_CPU_INIT_H_
#define SWITCHYARD_BACKENDS_CPU_INIT_H_

#include "switchyard/core/macros.h"

namespace sy::cpu {

SY_API void Init();

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_INIT_H_
