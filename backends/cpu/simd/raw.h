// Registers as the compiler's vector types, and the instruction set that a file is compiled for.
//
//   Raw<float> x = LoadRaw<Raw<float>>(p);   as many lanes as a register has
//   Raw<uint8_t, 4> few;                     of a number
//
// Everything here that depends on the instruction set lies in a namespace of the set, for files
// that are compiled once for each: the linker must not merge two sets' functions. For the same
// reason no header of the standard library is included.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_RAW_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_RAW_H_

#include <stddef.h>
#include <stdint.h>

#include "switchyard/ops/formulas/vocab.h"

// SY_ISA: the namespace of the instruction set. SY_VECTOR_BYTES: the width of its registers.
#if defined(__AVX512F__)
#define SY_ISA avx512
#define SY_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define SY_ISA avx2
#define SY_VECTOR_BYTES 32
#else  // SSE2 on x86-64, NEON on aarch64
#define SY_ISA baseline
#define SY_VECTOR_BYTES 16
#endif

namespace sy::cpu::SY_ISA {

template <int kBytes, bool kSigned>
struct IntOfSize;
template <>
struct IntOfSize<1, true> {
  using Type = int8_t;
};
template <>
struct IntOfSize<2, true> {
  using Type = int16_t;
};
template <>
struct IntOfSize<4, true> {
  using Type = int32_t;
};
template <>
struct IntOfSize<8, true> {
  using Type = int64_t;
};
template <>
struct IntOfSize<1, false> {
  using Type = uint8_t;
};
template <>
struct IntOfSize<2, false> {
  using Type = uint16_t;
};
template <>
struct IntOfSize<4, false> {
  using Type = uint32_t;
};
template <>
struct IntOfSize<8, false> {
  using Type = uint64_t;
};
template <int kBytes, bool kSigned = true>
using Int = typename IntOfSize<kBytes, kSigned>::Type;

template <class E, int kN>
struct RawOf {
  typedef E Type __attribute__((vector_size(sizeof(E) * kN)));
};
template <class E, int kN = SY_VECTOR_BYTES / sizeof(E)>
using Raw = typename RawOf<E, kN>::Type;

template <class T>
struct NoReference {
  using Type = T;
};
template <class T>
struct NoReference<T&> {
  using Type = T;
};
template <class T>
struct NoReference<T&&> {
  using Type = T;
};
template <class R>
using RawElement = typename NoReference<decltype(R()[0])>::Type;

template <class R>
SY_FN R LoadRaw(const void* p) {
  R r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
template <class R>
SY_FN void StoreRaw(void* p, R r) {
  __builtin_memcpy(p, &r, sizeof r);
}

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_RAW_H_
