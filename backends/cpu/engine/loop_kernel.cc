#include "switchyard/backends/cpu/engine/loop_kernel.h"

#include "switchyard/backends/cpu/engine/engine.h"
#include "switchyard/core/keep_object.h"

namespace sy::cpu {
namespace {

constinit const LoopKernel* first_kernel = nullptr;

}  // namespace

const LoopKernel* LoopKernel::First() { return first_kernel; }

LoopKernel::LoopKernel(const LoopSet& loops, const char* file, int line)
    : loops_(loops), next_(first_kernel) {
  sy::internal::KeepObjectOf(this);
  first_kernel = this;
  static_assert(sizeof(node_) >= sizeof(KernelDef) && alignof(LoopKernel) >= alignof(KernelDef));
  LinkFormulaKernel<Engine>(node_, *loops.formula, &loops, file, line);
}

}  // namespace sy::cpu
