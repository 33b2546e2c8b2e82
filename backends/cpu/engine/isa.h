// Which instruction set the loops in use are compiled for.
//
//   const LoopTable& t = *kLoops<f::Add>.tables[ActiveIsa()];
//
// The best that the processor offers, found before main; the environment variable
// SWITCHYARD_CPU_ISA (baseline, avx2, avx512) asks for a lesser one. aarch64 has one alone, neon.
// Owns: nothing.
// Threads: any; SetIsa not while operators run.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_

#include "switchyard/backends/cpu/engine/helpers.h"
#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/core/macros.h"

namespace sy::cpu {

// Index into tables by instruction set (simd/isas.h); the last two are of x86-64.
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
  static constexpr const Helpers* kHelpers[kNumIsas] = SY_OF_EACH_ISA(helpers);
  return *kHelpers[ActiveIsa()];
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_ISA_H_
