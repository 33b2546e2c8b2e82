// Functions of the vocabulary over vectors: roundings, square root, exponentials and the like.
//
//   Vec<float> y = exp(Vec<float>(1.0f));
//
// In order of preference: an instruction; a formula (ops/formulas/float_math.h: exp, log, tanh and
// erf of floats, 1.2 to 2 times as fast as a library's when measured); libmvec, glibc's vector
// functions (at most 4 ulp); SLEEF for what that lacks (fmod, lgamma). Their prototypes are written
// here: libmvec has no header, and SLEEF is opened at first use.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_MATH_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_MATH_H_

#include "switchyard/backends/cpu/simd/sleef.h"
#include "switchyard/backends/cpu/simd/vec.h"
#include "switchyard/ops/formulas/float_math.h"

// Names by instruction set: _ZGV<set>N<lanes>v_sinf in libmvec, Sleef_fmodf<lanes>_<set> in SLEEF.
#if SY_VECTOR_BYTES == 64
#define SY_LIBMVEC_D "_ZGVeN8"
#define SY_LIBMVEC_F "_ZGVeN16"
#define SY_SLEEF_D(name) "Sleef_" name "d8_avx512f"
#define SY_SLEEF_F(name) "Sleef_" name "f16_avx512f"
#define SY_SLEEF_D_U10(name) "Sleef_" name "d8_u10avx512f"
#define SY_SLEEF_F_U10(name) "Sleef_" name "f16_u10avx512f"
#elif SY_VECTOR_BYTES == 32
#define SY_LIBMVEC_D "_ZGVdN4"
#define SY_LIBMVEC_F "_ZGVdN8"
#define SY_SLEEF_D(name) "Sleef_" name "d4_avx2"
#define SY_SLEEF_F(name) "Sleef_" name "f8_avx2"
#define SY_SLEEF_D_U10(name) "Sleef_" name "d4_u10avx2"
#define SY_SLEEF_F_U10(name) "Sleef_" name "f8_u10avx2"
#else
#define SY_LIBMVEC_D "_ZGVbN2"
#define SY_LIBMVEC_F "_ZGVbN4"
#define SY_SLEEF_D(name) "Sleef_" name "d2_sse2"
#define SY_SLEEF_F(name) "Sleef_" name "f4_sse2"
#define SY_SLEEF_D_U10(name) "Sleef_" name "d2_u10sse2"
#define SY_SLEEF_F_U10(name) "Sleef_" name "f4_u10sse2"
#endif

namespace sy::cpu::SY_ISA {

using RawF = Raw<float>;
using RawD = Raw<double>;

// a * b + c; rounded once where the processor can. Explicit, because kernels are compiled without
// contraction: elsewhere the same formula must give the same bits.
SY_FN Vec<float> fma(Vec<float> a, Vec<float> b, Vec<float> c) {
#if SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_vfmaddps512_mask(a.v, b.v, c.v, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawF)__builtin_ia32_vfmaddps256(a.v, b.v, c.v);
#else
  return a.v * b.v + c.v;
#endif
}

// p * 2^n for integers n in -151 … 129, in two steps that do not overflow before the product does.
SY_FN Vec<float> scale_by_power_of_two(Vec<float> p, Vec<float> n) {
#if SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_scalefps512_mask(p.v, n.v, RawF{}, -1, 4);
#else
  using I = Raw<int32_t>;
  const I i = Convert<int32_t>(n.v), half = i >> 1;
  return p.v * (RawF)((half + 127) << 23) * (RawF)((i - half + 127) << 23);
#endif
}

#if defined(__clang__)
#define SY_AVX512(name, a, b) __builtin_ia32_##name(a, b, 4)
#else
#define SY_AVX512(name, a, b) __builtin_ia32_##name##_mask(a, b, decltype(a){}, -1, 4)
#endif

// Whether some lane is `least` or more.
SY_FN bool AnyAtLeast(uint32_t least, Raw<uint32_t> u) {
#if SY_VECTOR_BYTES == 64
  using I = Raw<int32_t>;
  return __builtin_ia32_ucmpd512_mask((I)u, (I)(least - Raw<uint32_t>{}), 5, -1) != 0;
#elif SY_VECTOR_BYTES == 32
  return __builtin_ia32_movmskps256((RawF)(Raw<int32_t>)(u >= least)) != 0;
#else
  return __builtin_ia32_movmskps((RawF)(Raw<int32_t>)(u >= least)) != 0;
#endif
}

template <class T>
SY_FN Vec<T> copysign(Vec<T> magnitude, Vec<T> sign) {
  using U = Raw<Int<sizeof(T), false>>;
  const U bit = (U{} + Int<sizeof(T), false>(1)) << (8 * sizeof(T) - 1);
  return (Raw<T>)(((U)magnitude.v & ~bit) | ((U)sign.v & bit));
}
// a > b ? a : b, and a < b ? a : b: b where one of them is NaN.
template <class T>
SY_FN Vec<T> larger(Vec<T> a, Vec<T> b) {
  return select(a > b, a, b);
}
template <class T>
SY_FN Vec<T> smaller(Vec<T> a, Vec<T> b) {
  return select(a < b, a, b);
}
#if SY_VECTOR_BYTES == 64
SY_FN Vec<float> larger(Vec<float> a, Vec<float> b) { return SY_AVX512(maxps512, a.v, b.v); }
SY_FN Vec<float> smaller(Vec<float> a, Vec<float> b) { return SY_AVX512(minps512, a.v, b.v); }
SY_FN Vec<double> larger(Vec<double> a, Vec<double> b) { return SY_AVX512(maxpd512, a.v, b.v); }
SY_FN Vec<double> smaller(Vec<double> a, Vec<double> b) { return SY_AVX512(minpd512, a.v, b.v); }
#endif

template <class T>
SY_FN Vec<T> abs(Vec<T> a) {
  if constexpr (kIsFloat<T>) {
    return copysign(a, Vec<T>(T(0)));
  } else if constexpr (kIsSigned<T>) {
    return a.v < T(0) ? -a.v : a.v;
  } else {
    return a;
  }
}

SY_FN Vec<float> SqrtByInstruction(Vec<float> a) {
#if SY_VECTOR_BYTES == 64 && defined(__clang__)
  return (RawF)__builtin_ia32_sqrtps512(a.v, 4);
#elif SY_VECTOR_BYTES == 64
  return (RawF)__builtin_ia32_sqrtps512_mask(a.v, RawF{}, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawF)__builtin_ia32_sqrtps256(a.v);
#else
  return (RawF)__builtin_ia32_sqrtps(a.v);
#endif
}
// Rounded to nearest, as the instruction's is.
SY_FN Vec<float> sqrt(Vec<float> a) {
#if SY_VECTOR_BYTES == 64
  // The instruction keeps the divider busy: this takes two thirds of its time. P. Markstein,
  // "Computation of elementary functions on the IBM RISC System/6000 processor", 1990: a step of
  // Goldschmidt's from the processor's estimate, then the residual, which fma gives exactly, except
  // near underflow. Of 0, infinity, NaN and negative numbers g is NaN.
  const Vec<float> half(0.5f), y = (RawF)__builtin_ia32_rsqrt14ps512_mask(a.v, RawF{}, -1);
  const Vec<float> g = a * y;
  constexpr int kNotAtLeast = 0x19;
  if (__builtin_ia32_cmpps512_mask(g.v, Vec<float>(0x1p-48f).v, kNotAtLeast, -1, 4)) [[unlikely]]
    return SqrtByInstruction(a);
  const Vec<float> h = half * y, r = fma(-g, h, half);
  const Vec<float> root = fma(g, r, g);
  return fma(fma(-root, root, a), fma(h, r, h), root);
#else
  return SqrtByInstruction(a);
#endif
}
SY_FN Vec<double> sqrt(Vec<double> a) {
#if SY_VECTOR_BYTES == 64 && defined(__clang__)
  return (RawD)__builtin_ia32_sqrtpd512(a.v, 4);
#elif SY_VECTOR_BYTES == 64
  return (RawD)__builtin_ia32_sqrtpd512_mask(a.v, RawD{}, -1, 4);
#elif SY_VECTOR_BYTES == 32
  return (RawD)__builtin_ia32_sqrtpd256(a.v);
#else
  return (RawD)__builtin_ia32_sqrtpd(a.v);
#endif
}

// --- Roundings. Modes of the instruction: 8 to nearest even, 9 down, 10 up, 11 towards 0, without
// exceptions.
#if SY_VECTOR_BYTES == 64
template <int kMode>
SY_FN Vec<float> Round(Vec<float> a) {
  return (RawF)__builtin_ia32_rndscaleps_mask(a.v, kMode, RawF{}, -1, 4);
}
template <int kMode>
SY_FN Vec<double> Round(Vec<double> a) {
  return (RawD)__builtin_ia32_rndscalepd_mask(a.v, kMode, RawD{}, -1, 4);
}
#elif SY_VECTOR_BYTES == 32
template <int kMode>
SY_FN Vec<float> Round(Vec<float> a) {
  return (RawF)__builtin_ia32_roundps256(a.v, kMode);
}
template <int kMode>
SY_FN Vec<double> Round(Vec<double> a) {
  return (RawD)__builtin_ia32_roundpd256(a.v, kMode);
}
#else
// SSE2 has no such instruction: adding and subtracting 2^23 (2^52) rounds magnitudes below it to
// the nearest integer, which is then corrected by 1; larger ones are integers already.
template <int kMode, class T>
SY_FN Vec<T> Round(Vec<T> a) {
  const Vec<T> magic = Vec<T>(sizeof(T) == 4 ? T(8388608) : T(4503599627370496));
  const Vec<T> magnitude = abs(a), one = Vec<T>(T(1)), zero = Vec<T>(T(0));
  Vec<T> r = (magnitude + magic) - magic;
  if constexpr (kMode == 11) {
    r = copysign(select(r > magnitude, r - one, r), a);
  } else if constexpr (kMode == 8) {
    r = copysign(r, a);
  } else {
    r = copysign(r, a);
    const MaskOf<T> off = kMode == 9 ? r > a : r < a;
    r = r + select(off, kMode == 9 ? -one : one, copysign(zero, a));
    r = copysign(r, a);  // -0.5 up is -0
  }
  return select(magnitude < magic, r, a);
}
#endif
template <class T>
SY_FN Vec<T> rint(Vec<T> a) {
  return Round<8>(a);
}
template <class T>
SY_FN Vec<T> floor(Vec<T> a) {
  return Round<9>(a);
}
template <class T>
SY_FN Vec<T> ceil(Vec<T> a) {
  return Round<10>(a);
}
template <class T>
SY_FN Vec<T> trunc(Vec<T> a) {
  return Round<11>(a);
}

// --- Libraries
#define SY_LIBRARY_FUNCTION1(name, f_name, d_name)                    \
  extern RawF name##OfFloats(RawF) __asm__(f_name);                   \
  extern RawD name##OfDoubles(RawD) __asm__(d_name);                  \
  SY_FN Vec<float> name(Vec<float> a) { return name##OfFloats(a.v); } \
  SY_FN Vec<double> name(Vec<double> a) { return name##OfDoubles(a.v); }
#define SY_LIBRARY_FUNCTION2(name, f_name, d_name)                                       \
  extern RawF name##OfFloats(RawF, RawF) __asm__(f_name);                                \
  extern RawD name##OfDoubles(RawD, RawD) __asm__(d_name);                               \
  SY_FN Vec<float> name(Vec<float> a, Vec<float> b) { return name##OfFloats(a.v, b.v); } \
  SY_FN Vec<double> name(Vec<double> a, Vec<double> b) { return name##OfDoubles(a.v, b.v); }
SY_LIBRARY_FUNCTION1(acos, SY_LIBMVEC_F "v_acosf", SY_LIBMVEC_D "v_acos")
SY_LIBRARY_FUNCTION1(acosh, SY_LIBMVEC_F "v_acoshf", SY_LIBMVEC_D "v_acosh")
SY_LIBRARY_FUNCTION1(asin, SY_LIBMVEC_F "v_asinf", SY_LIBMVEC_D "v_asin")
SY_LIBRARY_FUNCTION1(asinh, SY_LIBMVEC_F "v_asinhf", SY_LIBMVEC_D "v_asinh")
SY_LIBRARY_FUNCTION1(atan, SY_LIBMVEC_F "v_atanf", SY_LIBMVEC_D "v_atan")
SY_LIBRARY_FUNCTION1(atanh, SY_LIBMVEC_F "v_atanhf", SY_LIBMVEC_D "v_atanh")
SY_LIBRARY_FUNCTION1(cos, SY_LIBMVEC_F "v_cosf", SY_LIBMVEC_D "v_cos")
SY_LIBRARY_FUNCTION1(cosh, SY_LIBMVEC_F "v_coshf", SY_LIBMVEC_D "v_cosh")
SY_LIBRARY_FUNCTION1(erfc, SY_LIBMVEC_F "v_erfcf", SY_LIBMVEC_D "v_erfc")
SY_LIBRARY_FUNCTION1(exp2, SY_LIBMVEC_F "v_exp2f", SY_LIBMVEC_D "v_exp2")
SY_LIBRARY_FUNCTION1(expm1, SY_LIBMVEC_F "v_expm1f", SY_LIBMVEC_D "v_expm1")
SY_LIBRARY_FUNCTION1(log10, SY_LIBMVEC_F "v_log10f", SY_LIBMVEC_D "v_log10")
SY_LIBRARY_FUNCTION1(log1p, SY_LIBMVEC_F "v_log1pf", SY_LIBMVEC_D "v_log1p")
SY_LIBRARY_FUNCTION1(log2, SY_LIBMVEC_F "v_log2f", SY_LIBMVEC_D "v_log2")
SY_LIBRARY_FUNCTION1(sin, SY_LIBMVEC_F "v_sinf", SY_LIBMVEC_D "v_sin")
SY_LIBRARY_FUNCTION1(sinh, SY_LIBMVEC_F "v_sinhf", SY_LIBMVEC_D "v_sinh")
SY_LIBRARY_FUNCTION1(tan, SY_LIBMVEC_F "v_tanf", SY_LIBMVEC_D "v_tan")
SY_LIBRARY_FUNCTION2(atan2, SY_LIBMVEC_F "vv_atan2f", SY_LIBMVEC_D "vv_atan2")
SY_LIBRARY_FUNCTION2(hypot, SY_LIBMVEC_F "vv_hypotf", SY_LIBMVEC_D "vv_hypot")
SY_LIBRARY_FUNCTION2(pow, SY_LIBMVEC_F "vv_powf", SY_LIBMVEC_D "vv_pow")
// Of doubles alone.
#define SY_DOUBLE_FUNCTION(name)                                      \
  extern RawD name##OfDoubles(RawD) __asm__(SY_LIBMVEC_D "v_" #name); \
  SY_FN Vec<double> name(Vec<double> a) { return name##OfDoubles(a.v); }
SY_DOUBLE_FUNCTION(erf)
SY_DOUBLE_FUNCTION(exp)
SY_DOUBLE_FUNCTION(log)
SY_DOUBLE_FUNCTION(tanh)
#undef SY_LIBRARY_FUNCTION1
#undef SY_LIBRARY_FUNCTION2
#undef SY_DOUBLE_FUNCTION

// SLEEF's function of that name, kept once there is one.
template <class Function>
SY_FN Function OfSleef(Function& kept, const char* name) {
  Function f = __atomic_load_n(&kept, __ATOMIC_RELAXED);
  if (f == nullptr) [[unlikely]] {
    f = reinterpret_cast<Function>(SleefFunction(name));
    __atomic_store_n(&kept, f, __ATOMIC_RELAXED);
  }
  return f;
}

// Of SLEEF; lane by lane, by the C library, where there is none.
template <class T>
__attribute__((noinline)) Vec<T> lgamma(Vec<T> a) {
  using Function = Raw<T> (*)(Raw<T>);
  static Function kept = nullptr;
  const Function function =
      OfSleef(kept, kSameType<T, float> ? SY_SLEEF_F_U10("lgamma") : SY_SLEEF_D_U10("lgamma"));
  if (function == nullptr) [[unlikely]]
    return LaneByLane(a, a, [](f::Num<T> x, f::Num<T>) { return lgamma(x); });
  return function(a.v);
}
// SLEEF's is NaN where a / b overflows, as it does for the smallest b: such lanes one by one.
template <class T>
__attribute__((noinline)) Vec<T> fmod(Vec<T> a, Vec<T> b) {
  using Function = Raw<T> (*)(Raw<T>, Raw<T>);
  static Function kept = nullptr;
  const Function function =
      OfSleef(kept, kSameType<T, float> ? SY_SLEEF_F("fmod") : SY_SLEEF_D("fmod"));
  if (function != nullptr) [[likely]] {
    const Raw<T> r = function(a.v, b.v);
    if (!AnyAtLeast(1, (Raw<uint32_t>)(r != r))) [[likely]]
      return r;
  }
  return LaneByLane(a, b, [](f::Num<T> x, f::Num<T> y) { return fmod(x, y); });
}

// --- Formulas, in float
SY_FN Vec<float> exp(Vec<float> a) { return f::ExpOfFloat(a); }
SY_FN Vec<float> tanh(Vec<float> a) { return f::TanhOfFloat(a); }
SY_FN Vec<float> erf(Vec<float> a) { return f::ErfOfFloat(a); }
SY_FN Vec<float> normal_cdf(Vec<float> a) { return f::NormalCdfOfFloat(a); }
SY_FN Vec<double> normal_cdf(Vec<double> a) {
  return Vec<double>(0.5) * (Vec<double>(1.0) + erf(a * Vec<double>(0.70710678118654752440)));
}

// m and n with x = m 2^n and m from sqrt(1/2) to sqrt(2), for normal x > 0.
SY_FN Vec<float> halves_of(Vec<float> x, Vec<float>& n) {
  using I = Raw<int32_t>;
  const I exponent = ((I)x.v - 0x3f3504f3) >> 23;  // the bits of sqrt(1/2)
  n = Convert<float>(exponent);
  return (RawF)((I)x.v - (exponent << 23));
}
// The lanes of normal numbers as if nothing else were there.
__attribute__((noinline)) static inline Vec<float> LogOfAny(Vec<float> a) {
  const Vec<float> least(0x1p-126f), zero(0.0f), infinity(__builtin_inff());
  const Mask<4> subnormal = a < least;
  const Vec<float> r = f::LogOfFloat(select(subnormal, a * Vec<float>(0x1p24f), a),
                                     select(subnormal, Vec<float>(-24.0f), zero));
  return select(a > zero, select(a < infinity, r, a),
                select(a == zero, -infinity, Vec<float>(__builtin_nanf(""))));
}
SY_FN Vec<float> log(Vec<float> a) {
  if (AnyAtLeast(0x7f000000, (Raw<uint32_t>)a.v - 0x00800000)) [[unlikely]]
    return LogOfAny(a);
  return f::LogOfFloat(a, Vec<float>(0.0f));
}

}  // namespace sy::cpu::SY_ISA

#undef SY_AVX512

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_MATH_H_
