// Which instruction set the loops in use are compiled for.
//
//   const LoopTable& t = *loops::add.tables[ActiveIsa()];
//
// The best that the processor offers, found before main; the environment variable
// SWITCHYARD_CPU_ISA (baseline, avx2, avx512) asks for a lesser one.
// Owns: nothing.
// Threads: any; SetIsa not while operators run.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_

#include "switchyard/backends/cpu/engine/helpers.h"
#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

// Index into tables by instruction set.
enum Isa : int { kBaseline, kAvx2, kAvx512 };

namespace internal {
extern SY_API Isa active_isa;
}
inline Isa ActiveIsa() { return internal::active_isa; }
SY_API Isa BestIsa();
SY_API const char* Name(Isa isa);
// For tests and benchmarks. Errors: kUnavailable when the processor lacks it.
SY_API void SetIsa(Isa isa);

inline const Helpers& ActiveHelpers() {
  static constexpr const Helpers* kHelpers[kNumIsas] = {&baseline::helpers, &avx2::helpers,
                                                        &avx512::helpers};
  return *kHelpers[ActiveIsa()];
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_
