// SLEEF, opened when one of its functions is first wanted: loading it takes longer than all else
// that a program with this backend does at its start.
//
//   static const auto fmod = reinterpret_cast<FmodOfFloats>(SleefFunction("Sleef_fmodf4_sse2"));
//
// Threads: any.
// Errors: none; null where SLEEF is not installed.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_

#include "switchyard/core/macros.h"

namespace sy::cpu {

SY_API void* SleefFunction(const char* name) noexcept;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_SLEEF_H_
