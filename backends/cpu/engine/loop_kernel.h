// Registers a kernel that needs nothing but loops, from a file that must not include the standard
// library.
//
//   const LoopKernel kernel{"sin", loops::sin};
//
// The operator's arguments are what the loops take: tensors, then, for parameters, Scalars.
// Owns: room for the registration's node, which must live as long as the program calls operators.
// Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

// What a number given for the last tensor becomes where that is a 16-bit float.
enum class LastNumber : uint8_t {
  kRounded,  // one
  kKept,     // what it is: RunLoopsInFloat
};
using enum LastNumber;

// An operator's loops in the list of all of them, which tests walk over.
class NamedLoops {
 public:
  SY_API NamedLoops(const char* name, const LoopSet& set);
  const char* name() const { return name_; }
  const LoopSet& set() const { return set_; }
  const NamedLoops* next() const { return next_; }
  static const NamedLoops* First();

 private:
  const char* name_;
  const LoopSet& set_;
  const NamedLoops* next_;
};

class LoopKernel {
 public:
  // op: the operator's name, a literal. Its dtypes are those of the loops.
  SY_API LoopKernel(const char* op, const LoopSet& loops, LastNumber last = kRounded,
                    const char* file = __builtin_FILE(), int line = __builtin_LINE());

 private:
  alignas(8) unsigned char node_[160];  // a KernelDef
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_KERNEL_H_
