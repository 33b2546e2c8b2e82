// The instruction sets that the loops of this architecture are compiled for, from the least on:
// each is a namespace, and an index into tables (Isa in engine/isa.h).
//
//   SY_IN_EACH_ISA(extern const Helpers helpers)                      declared in each namespace
//   const Helpers* const kAll[kNumIsas] = SY_OF_EACH_ISA(helpers);    {&baseline::helpers, …}
//
// x86-64 has baseline, which every such processor runs, avx2 and avx512. aarch64 has one: every
// such processor has NEON, and that is its baseline. Programs with sanitizers run baseline's loops
// in the place of avx2's, which are avx512's with vectors half as wide and take as long to compile.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_ISAS_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_ISAS_H_

// X(namespace, …) for each instruction set, and, by SY_EACH_LINKED_ISA, for the one whose loops
// stand at its index.
#if defined(__x86_64__)
#define SY_EACH_ISA(X, ...) X(baseline, __VA_ARGS__) X(avx2, __VA_ARGS__) X(avx512, __VA_ARGS__)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SY_EACH_LINKED_ISA(X, ...) \
  X(baseline, __VA_ARGS__) X(baseline, __VA_ARGS__) X(avx512, __VA_ARGS__)
#endif
#elif defined(__aarch64__)
#define SY_EACH_ISA(X, ...) X(baseline, __VA_ARGS__)
#else
#error "the cpu backend is written for x86-64 and aarch64"
#endif
#ifndef SY_EACH_LINKED_ISA
#define SY_EACH_LINKED_ISA SY_EACH_ISA
#endif

#define SY_IN_ISA(isa, ...) \
  namespace isa {           \
  __VA_ARGS__;              \
  }
#define SY_IN_EACH_ISA(...) SY_EACH_ISA(SY_IN_ISA, __VA_ARGS__)
#define SY_OF_ISA(isa, ...) &isa::__VA_ARGS__,
#define SY_OF_EACH_ISA(...) \
  { SY_EACH_LINKED_ISA(SY_OF_ISA, __VA_ARGS__) }

namespace sy::cpu {

#define SY_ONE_MORE(...) +1
inline constexpr int kNumIsas = 0 SY_EACH_ISA(SY_ONE_MORE, );
#undef SY_ONE_MORE

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_ISAS_H_
