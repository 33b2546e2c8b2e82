// Registers loops as the kernel of every operator that names their formula, from a file that must
// not include the standard library.
//
//   const LoopKernel kernel{kLoops<f::Sin>};
//
// The operator's arguments are what the formula takes: tensors, then, for parameters, Scalars.
// Owns: room for the registration's node, which must live as long as the program calls operators.
// Threads: constructed before main.
// Errors: none before main; a kernel throws what running its loops does.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

class LoopKernel {
 public:
  SY_API explicit LoopKernel(const LoopSet& loops, const char* file = __builtin_FILE(),
                             int line = __builtin_LINE());
  LoopKernel(const LoopKernel&) = delete;

  // All of them, for tests.
  static const LoopKernel* First();
  const LoopKernel* next() const { return next_; }
  const LoopSet& loops() const { return loops_; }

 private:
  const LoopSet& loops_;
  const LoopKernel* next_;
  alignas(8) unsigned char node_[160];  // a KernelDef
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_
