// Runs a loop compiled for AVX2 with fused multiply-add where the processor has it. NEON, which
// every aarch64 processor has, fuses too.
//
//   SY_INLINE void Scale(const float* in, float* out, int64_t n) { … std::fma … }
//   Widest<Scale>(in, out, n);
//
// The loop must be inline (SY_INLINE), so that it is compiled once more as part of the AVX2
// function; without AVX2 std::fma is a slow call with the same result.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_WIDEST_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_WIDEST_H_

#include "switchyard/core/macros.h"

namespace sy::cpu {

#if defined(__x86_64__)

template <auto kLoop, class... A>
__attribute__((target("avx2,fma"), noinline)) void RunAvx2(A... a) {
  kLoop(a...);
}

template <auto kLoop, class... A>
void Widest(A... a) {
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (kHasAvx2) {
    RunAvx2<kLoop>(a...);
  } else {
    kLoop(a...);
  }
}

#else

template <auto kLoop, class... A>
void Widest(A... a) {
  kLoop(a...);
}

#endif

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_WIDEST_H_
