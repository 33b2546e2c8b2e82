// Functions of the vocabulary over vectors: roundings, square root, exponentials and the like.
//
//   Vec<float> y = exp(Vec<float>(1.0f));
//
// In order of preference: an instruction; a formula (ops/formulas/float_math.h: exp, log, tanh and
// erf of floats, 1.2 to 2 times as fast as a library's when measured); libmvec, glibc's vector
// functions for x86-64 (at most 4 ulp); SLEEF for what that lacks (fmod, lgamma) and on aarch64.
// Their prototypes are written here: libmvec has no header, and SLEEF is opened at first use.
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
#define SY_SLEEF_D(name, ulps) "Sleef_" name "d8" ulps "avx512f"
#define SY_SLEEF_F(name, ulps) "Sleef_" name "f16" ulps "avx512f"
#elif SY_VECTOR_BYTES == 32
#define SY_LIBMVEC_D "_ZGVdN4"
#define SY_LIBMVEC_F "_ZGVdN8"
#define SY_SLEEF_D(name, ulps) "Sleef_" name "d4" ulps "avx2"
#define SY_SLEEF_F(name, ulps) "Sleef_" name "f8" ulps "avx2"
#elif defined(__x86_64__)
#define SY_LIBMVEC_D "_ZGVbN2"
#define SY_LIBMVEC_F "_ZGVbN4"
#define SY_SLEEF_D(name, ulps) "Sleef_" name "d2" ulps "sse2"
#define SY_SLEEF_F(name, ulps) "Sleef_" name "f4" ulps "sse2"
#else
#define SY_SLEEF_D(name, ulps) "Sleef_" name "d2" ulps "advsimd"
#define SY_SLEEF_F(name, ulps) "Sleef_" name "f4" ulps "advsimd"
#endif

namespace sy::cpu::SY_ISA {

// a * b + c; rounded once where the processor can. Explicit, because kernels are compiled without
// contraction: elsewhere the same formula must give the same bits.
SY_FN Vec<float> fma(Vec<float> a, Vec<float> b, Vec<float> c) {
  return MultiplyAdd(a.v, b.v, c.v);
}

// p * 2^n for integers n in -151 … 129, in two steps that do not overflow before the product does.
SY_FN Vec<float> scale_by_power_of_two(Vec<float> p, Vec<float> n) {
#if SY_VECTOR_BYTES == 64
  return TimesPowerOfTwo(p.v, n.v);
#else
  using I = Raw<int32_t>;
  const I i = Convert<int32_t>(n.v), half = i >> 1;
  return p.v * (RawF)((half + 127) << 23) * (RawF)((i - half + 127) << 23);
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
SY_FN Vec<float> larger(Vec<float> a, Vec<float> b) { return Larger(a.v, b.v); }
SY_FN Vec<float> smaller(Vec<float> a, Vec<float> b) { return Smaller(a.v, b.v); }
SY_FN Vec<double> larger(Vec<double> a, Vec<double> b) { return Larger(a.v, b.v); }
SY_FN Vec<double> smaller(Vec<double> a, Vec<double> b) { return Smaller(a.v, b.v); }
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

// Rounded to nearest, as the instruction's is.
SY_FN Vec<float> sqrt(Vec<float> a) {
#if SY_VECTOR_BYTES == 64
  // The instruction keeps the divider busy: this takes two thirds of its time. P. Markstein,
  // "Computation of elementary functions on the IBM RISC System/6000 processor", 1990: a step of
  // Goldschmidt's from the processor's estimate, then the residual, which fma gives exactly, except
  // near underflow. Of 0, infinity, NaN and negative numbers g is NaN.
  const Vec<float> half(0.5f), y = EstimateOfInverseRoot(a.v);
  const Vec<float> g = a * y;
  if (AnyNotAtLeast(g.v, Vec<float>(0x1p-48f).v)) [[unlikely]]
    return SquareRoot(a.v);
  const Vec<float> h = half * y, r = fma(-g, h, half);
  const Vec<float> root = fma(g, r, g);
  return fma(fma(-root, root, a), fma(h, r, h), root);
#else
  return SquareRoot(a.v);
#endif
}
SY_FN Vec<double> sqrt(Vec<double> a) { return SquareRoot(a.v); }

// --- Roundings
template <Rounding kMode, class T>
SY_FN Vec<T> Round(Vec<T> a) {
#if SY_ROUNDS_BY_INSTRUCTION
  return RoundBy<kMode>(a.v);
#else
  // SSE2 has no such instruction: adding and subtracting 2^23 (2^52) rounds magnitudes below it to
  // the nearest integer, which is then corrected by 1; larger ones are integers already.
  const Vec<T> magic = Vec<T>(sizeof(T) == 4 ? T(8388608) : T(4503599627370496));
  const Vec<T> magnitude = abs(a), one = Vec<T>(T(1)), zero = Vec<T>(T(0));
  Vec<T> r = (magnitude + magic) - magic;
  if constexpr (kMode == kTowardsZero) {
    r = copysign(select(r > magnitude, r - one, r), a);
  } else if constexpr (kMode == kToNearestEven) {
    r = copysign(r, a);
  } else {
    r = copysign(r, a);
    const MaskOf<T> off = kMode == kDown ? r > a : r < a;
    r = r + select(off, kMode == kDown ? -one : one, copysign(zero, a));
    r = copysign(r, a);  // -0.5 up is -0
  }
  return select(magnitude < magic, r, a);
#endif
}
template <class T>
SY_FN Vec<T> rint(Vec<T> a) {
  return Round<kToNearestEven>(a);
}
template <class T>
SY_FN Vec<T> floor(Vec<T> a) {
  return Round<kDown>(a);
}
template <class T>
SY_FN Vec<T> ceil(Vec<T> a) {
  return Round<kUp>(a);
}
template <class T>
SY_FN Vec<T> trunc(Vec<T> a) {
  return Round<kTowardsZero>(a);
}

// --- Libraries

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

// Whether all lanes are finite.
template <class R>
SY_FN bool AllFinite(R r) {
  return !AnyAtLeast(1, (Raw<uint32_t>)(r - r != 0));
}

#if defined(SY_LIBMVEC_F)
#define SY_LIBRARY_FUNCTION1(name, ulps)                                 \
  extern RawF name##OfFloats(RawF) __asm__(SY_LIBMVEC_F "v_" #name "f"); \
  SY_FN Vec<float> name(Vec<float> a) { return name##OfFloats(a.v); }    \
  SY_DOUBLE_FUNCTION1(name, ulps)
#define SY_DOUBLE_FUNCTION1(name, ulps)                               \
  extern RawD name##OfDoubles(RawD) __asm__(SY_LIBMVEC_D "v_" #name); \
  SY_FN Vec<double> name(Vec<double> a) { return name##OfDoubles(a.v); }
#define SY_LIBRARY_FUNCTION2(name, ulps)                                                 \
  extern RawF name##OfFloats(RawF, RawF) __asm__(SY_LIBMVEC_F "vv_" #name "f");          \
  extern RawD name##OfDoubles(RawD, RawD) __asm__(SY_LIBMVEC_D "vv_" #name);             \
  SY_FN Vec<float> name(Vec<float> a, Vec<float> b) { return name##OfFloats(a.v, b.v); } \
  SY_FN Vec<double> name(Vec<double> a, Vec<double> b) { return name##OfDoubles(a.v, b.v); }
#else
// glibc has no libmvec here, or one of a few functions (2.38): SLEEF's, lane by lane by the C
// library where there is no SLEEF, and where a result is not finite, because near the ends of the
// range of numbers SLEEF may give infinity early (https://sleef.org/2-references/libm/, sinh to
// log1p).
#define SY_SLEEF_FUNCTION1(T, name, symbol)                                                \
  __attribute__((noinline)) inline Vec<T> name(Vec<T> a) {                                 \
    using Function = Raw<T> (*)(Raw<T>);                                                   \
    static Function kept = nullptr;                                                        \
    if (const Function function = OfSleef(kept, symbol); function != nullptr) [[likely]] { \
      const Raw<T> r = function(a.v);                                                      \
      if (AllFinite(r)) [[likely]]                                                         \
        return r;                                                                          \
    }                                                                                      \
    return LaneByLane(a, a, [](f::Num<T> x, f::Num<T>) { return name(x); });               \
  }
#define SY_SLEEF_FUNCTION2(T, name, symbol)                                                \
  __attribute__((noinline)) inline Vec<T> name(Vec<T> a, Vec<T> b) {                       \
    using Function = Raw<T> (*)(Raw<T>, Raw<T>);                                           \
    static Function kept = nullptr;                                                        \
    if (const Function function = OfSleef(kept, symbol); function != nullptr) [[likely]] { \
      const Raw<T> r = function(a.v, b.v);                                                 \
      if (AllFinite(r)) [[likely]]                                                         \
        return r;                                                                          \
    }                                                                                      \
    return LaneByLane(a, b, [](f::Num<T> x, f::Num<T> y) { return name(x, y); });          \
  }
#define SY_LIBRARY_FUNCTION1(name, ulps)                   \
  SY_SLEEF_FUNCTION1(float, name, SY_SLEEF_F(#name, ulps)) \
  SY_SLEEF_FUNCTION1(double, name, SY_SLEEF_D(#name, ulps))
#define SY_DOUBLE_FUNCTION1(name, ulps) SY_SLEEF_FUNCTION1(double, name, SY_SLEEF_D(#name, ulps))
#define SY_LIBRARY_FUNCTION2(name, ulps)                   \
  SY_SLEEF_FUNCTION2(float, name, SY_SLEEF_F(#name, ulps)) \
  SY_SLEEF_FUNCTION2(double, name, SY_SLEEF_D(#name, ulps))
#endif
// ulps: which of SLEEF's functions of the name, "_u10" within 1 ulp.
SY_LIBRARY_FUNCTION1(acos, "_u10")
SY_LIBRARY_FUNCTION1(acosh, "_u10")
SY_LIBRARY_FUNCTION1(asin, "_u10")
SY_LIBRARY_FUNCTION1(asinh, "_u10")
SY_LIBRARY_FUNCTION1(atan, "_u10")
SY_LIBRARY_FUNCTION1(atanh, "_u10")
SY_LIBRARY_FUNCTION1(cos, "_u10")
SY_LIBRARY_FUNCTION1(cosh, "_u10")
SY_LIBRARY_FUNCTION1(erfc, "_u15")
SY_LIBRARY_FUNCTION1(exp2, "_u10")
SY_LIBRARY_FUNCTION1(expm1, "_u10")
SY_LIBRARY_FUNCTION1(log10, "_u10")
SY_LIBRARY_FUNCTION1(log1p, "_u10")
SY_LIBRARY_FUNCTION1(log2, "_u10")
SY_LIBRARY_FUNCTION1(sin, "_u10")
SY_LIBRARY_FUNCTION1(sinh, "_u10")
SY_LIBRARY_FUNCTION1(tan, "_u10")
SY_LIBRARY_FUNCTION2(atan2, "_u10")
SY_LIBRARY_FUNCTION2(hypot, "_u05")
SY_LIBRARY_FUNCTION2(pow, "_u10")
SY_DOUBLE_FUNCTION1(erf, "_u10")
SY_DOUBLE_FUNCTION1(exp, "_u10")
SY_DOUBLE_FUNCTION1(log, "_u10")
SY_DOUBLE_FUNCTION1(tanh, "_u10")
#undef SY_LIBRARY_FUNCTION1
#undef SY_LIBRARY_FUNCTION2
#undef SY_DOUBLE_FUNCTION1
#undef SY_SLEEF_FUNCTION1
#undef SY_SLEEF_FUNCTION2

// Of SLEEF; lane by lane, by the C library, where there is none.
template <class T>
__attribute__((noinline)) Vec<T> lgamma(Vec<T> a) {
  using Function = Raw<T> (*)(Raw<T>);
  static Function kept = nullptr;
  const Function function = OfSleef(
      kept, kSameType<T, float> ? SY_SLEEF_F("lgamma", "_u10") : SY_SLEEF_D("lgamma", "_u10"));
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
      OfSleef(kept, kSameType<T, float> ? SY_SLEEF_F("fmod", "_") : SY_SLEEF_D("fmod", "_"));
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

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_MATH_H_
