// SLEEF, opened when one of its functions is first wanted: few programs call one, and loading it
// would cost each of them a good part of its start (docs/performance.md).
//
//   auto fmod = reinterpret_cast<FmodOfFloats>(SleefFunction("Sleef_fmodf4_sse2"));
//
// Threads: any.
// Errors: none; null where SLEEF is not installed, and while memory is too short to open it.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_

#include "switchyard/core/macros.h"

namespace sy::cpu {

SY_API void* SleefFunction(const char* name) noexcept;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_
