// The number vocabulary over scalars: what formulas are written in.
//
//   struct Hypot : Formula {
//     template <class V> SY_FN V operator()(V a, V b) const { return sqrt(a * a + b * b); }
//   };
//   Hypot()(Num<float>(3), Num<float>(4)).v == 5;
//
// A formula is a template over its number type V. Num<T> is the scalar one; the cpu backend has
// Vec<T>, many lanes at once, with the same functions. Numbers are classes even as scalars:
// integers keep their width and wrap around instead of promoting and overflowing, and nothing
// converts by accident. Comparisons give masks (bool here); `select` evaluates both sides, so a
// formula has no branches and every function is total: integer division by 0 gives 0 (the operator
// refuses it beforehand where it is an error).
//
// Number types besides these two: Complex<V> (complex.h), a pair of them; Narrow<To, V> (narrow.h),
// which rounds to 16 bits after every step. A formula for all of them uses what all of them have: +
// - * /, comparisons, select, abs and constants of V::Element.
//
// A formula reads no memory, throws nothing and calls no standard library. In return it is compiled
// for every instruction set and for the GPU as it stands.
//
// g++, clang, nvcc and NVRTC compile this header; NVRTC has no standard library, so there is none.
//
// Arithmetic of the scalar type, for instance:
//
//   Num<signed char>(127) + Num<signed char>(1)      -128: wraps
//   Num<int>(7) / Num<int>(0)                        0
//   Num<int>(-7) / Num<int>(2)                       -3: towards 0
//   Num<int>(INT_MIN) / Num<int>(-1)                 INT_MIN: wraps
//   larger(Num<float>(nan), Num<float>(1))           1
//   larger(Num<float>(1), Num<float>(nan))           nan
//
// Which number type has what, so that a formula compiles for it (complex functions but abs: of
// scalars on the host):
//
//                                   integers  floats  complex  Narrow  lanes of
//   + - * /                            x        x        x       x     either
//   unary -                            x        x        x             either
//   == != select abs                   x        x        x       x     either
//   < >                                x        x                x     either
//   <= >= isnan larger smaller         x        x                      either
//   & | ^ << >>                        x                               integers
//   floor trunc fmod copysign                   x                x     floats
//   log erf                                     x       log      x     floats
//   exp sin … (SY_NUM_FUNCTION1)                x        x             floats
//   pow                                x        x        x             floats
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_VOCAB_H_
#define SWITCHYARD_OPS_FORMULAS_VOCAB_H_

// SY_FN: how every function of a formula is declared. SY_LIBM: the C library's function of a name.
#if defined(__CUDACC_RTC__)
#define SY_FN __device__ __forceinline__
#define SY_LIBM(name) ::name
#elif defined(__CUDACC__)
#define SY_FN __host__ __device__ __forceinline__
#define SY_LIBM(name) ::name
#else
#define SY_FN inline __attribute__((always_inline))
#define SY_LIBM(name) __builtin_##name
#endif

// Masks are combined by & and |, which do for one bool as for many lanes; && would not.
#if defined(__clang__) && !defined(__CUDACC__)
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif

namespace sy::f {

// --- Types: what <type_traits> would say.
// Whether A and B are one type.
template <class A, class B>
inline constexpr bool kSameType = false;
template <class A>
inline constexpr bool kSameType<A, A> = true;
// float and double: 16-bit and 8-bit floats are never computed in.
template <class T>
inline constexpr bool kIsFloat = kSameType<T, float> || kSameType<T, double>;
// Whether T has negative numbers; true for floats.
template <class T>
inline constexpr bool kIsSigned = T(-1) < T(0);
// The type in which + - * of T are computed: unsigned, so that they wrap.
template <class T, bool kWide = (sizeof(T) == 8), bool kFloat = kIsFloat<T>>
struct WrapOf {
  using Type = unsigned;
};
template <class T>
struct WrapOf<T, true, false> {
  using Type = unsigned long long;
};
template <class T, bool kWide>
struct WrapOf<T, kWide, true> {
  using Type = T;
};
template <class T>
using Wrap = typename WrapOf<T>::Type;

// What a formula states about itself, by inheriting from one of these.
// Facts for the compiler, all false by default. What concerns users, the dtypes and the number of
// arguments, is stated with SY_FORMULA (facts.h). A formula may also name what takes its place for
// some dtypes:
//   using OnBool = F;     on bool, as integers 0 and 1, where the same text would leave these
//   using OnHalf = F;     on the bits of 16-bit floats, as int16, where that is shorter
//   using OnComplex = F;  on complex numbers, where they need another text
struct Formula {
  // The result's bits do not depend on whether integers are taken as signed: one loop serves both.
  static constexpr bool kSignAgnostic = false;
  // The last bit may differ between a scalar and a vector of lanes. Loops then compute what is left
  // over at the end in a vector as well, so that an element does not depend on its place.
  static constexpr bool kTranscendental = false;
  // There are only scalars (functions of the C library, loops); and, of complex numbers and
  // integers only, that there are none but scalars.
  static constexpr bool kScalarOnly = false;
  static constexpr bool kScalarUnlessFloat = false;
  // 16-bit floats round after every operation (narrow.h), not once at the end.
  static constexpr bool kRoundsEachStep = false;
  // Its code takes much room: loops must not repeat it.
  static constexpr bool kLong = false;
};
// One whose code takes much room.
struct LongFormula : Formula {
  static constexpr bool kLong = true;
};
// One that integers of either sign share.
struct SignAgnosticFormula : Formula {
  static constexpr bool kSignAgnostic = true;
};
// One that calls functions of a library, or approximations of them.
struct TranscendentalFormula : LongFormula {
  static constexpr bool kTranscendental = true;
  static constexpr bool kScalarUnlessFloat = true;
};

// --- Numbers. T: an integer of any width (bool is an integer of 0 and 1), float or double.
// A constant is written V(0.5) for floats, V(E(1)) with E = typename V::Element for all.
template <class T>
struct Num {
  using Element = T;
  T v;
  Num() = default;
  SY_FN Num(T x) : v(x) {}  // NOLINT(google-explicit-constructor): constants in formulas
};

// Integers wrap around; C++ would promote narrow ones and leave signed overflow undefined.
template <class T>
SY_FN Num<T> operator+(Num<T> a, Num<T> b) {
  return T(Wrap<T>(a.v) + Wrap<T>(b.v));
}
template <class T>
SY_FN Num<T> operator-(Num<T> a, Num<T> b) {
  return T(Wrap<T>(a.v) - Wrap<T>(b.v));
}
template <class T>
SY_FN Num<T> operator*(Num<T> a, Num<T> b) {
  return T(Wrap<T>(a.v) * Wrap<T>(b.v));
}
template <class T>
SY_FN Num<T> operator-(Num<T> a) {
  if constexpr (kIsFloat<T>) {
    return -a.v;
  } else {
    return T(Wrap<T>(0) - Wrap<T>(a.v));
  }
}
// Floats: IEEE 754's quotient. Integers: towards 0; by 0 it is 0.
template <class T>
SY_FN Num<T> operator/(Num<T> a, Num<T> b) {
  if constexpr (kIsFloat<T>) {
    return a.v / b.v;
  } else if constexpr (kIsSigned<T>) {
    // The smallest number divided by -1 wraps; the processor's instruction would trap.
    if (b.v == T(-1)) return -a;
    return b.v == T(0) ? T(0) : T(a.v / b.v);
  } else {
    return b.v == T(0) ? T(0) : T(a.v / b.v);
  }
}
// Bits, of integers alone.
template <class T>
SY_FN Num<T> operator&(Num<T> a, Num<T> b) {
  return T(a.v & b.v);
}
template <class T>
SY_FN Num<T> operator|(Num<T> a, Num<T> b) {
  return T(a.v | b.v);
}
template <class T>
SY_FN Num<T> operator^(Num<T> a, Num<T> b) {
  return T(a.v ^ b.v);
}
// Shifts by fewer bits than T has; to the right with copies of the sign. More, or fewer than 0, is
// undefined: LeftShift and RightShift (bitwise.h) look first.
template <class T>
SY_FN Num<T> operator<<(Num<T> a, Num<T> b) {
  return T(Wrap<T>(a.v) << b.v);
}
template <class T>
SY_FN Num<T> operator>>(Num<T> a, Num<T> b) {
  return T(a.v >> b.v);
}
// Masks: with NaN, all of them are false but !=.
template <class T>
SY_FN bool operator<(Num<T> a, Num<T> b) {
  return a.v < b.v;
}
template <class T>
SY_FN bool operator>(Num<T> a, Num<T> b) {
  return a.v > b.v;
}
template <class T>
SY_FN bool operator<=(Num<T> a, Num<T> b) {
  return a.v <= b.v;
}
template <class T>
SY_FN bool operator>=(Num<T> a, Num<T> b) {
  return a.v >= b.v;
}
template <class T>
SY_FN bool operator==(Num<T> a, Num<T> b) {
  return a.v == b.v;
}
template <class T>
SY_FN bool operator!=(Num<T> a, Num<T> b) {
  return a.v != b.v;
}
// a where the mask holds, else b; both have been computed.
template <class T>
SY_FN Num<T> select(bool mask, Num<T> a, Num<T> b) {
  return mask ? a.v : b.v;
}
// False for integers. a != a would do; this reads better.
template <class T>
SY_FN bool isnan(Num<T> a) {
  if constexpr (kIsFloat<T>) {
    return a.v != a.v;
  } else {
    return false;
  }
}
// a > b ? a : b, and a < b ? a : b: b where one of them is NaN. One instruction in float lanes; for
// results that are NaN if either is, see Maximum (compare.h).
template <class T>
SY_FN Num<T> larger(Num<T> a, Num<T> b) {
  return a.v > b.v ? a : b;
}
template <class T>
SY_FN Num<T> smaller(Num<T> a, Num<T> b) {
  return a.v < b.v ? a : b;
}
// Floats: without the sign bit, of -0 and NaN too. The smallest integer stays negative.
template <class T>
SY_FN Num<T> abs(Num<T> a) {
  if constexpr (kSameType<T, float>) {
    return SY_LIBM(fabsf)(a.v);
  } else if constexpr (kSameType<T, double>) {
    return SY_LIBM(fabs)(a.v);
  } else if constexpr (kIsSigned<T>) {
    return a.v < T(0) ? -a : a;
  } else {
    return a;
  }
}

// --- Functions of floats
// The C library's, as builtins of the compiler, for float and double; with its limits and its
// errors, but errno is not set. Integers have none of them.
#define SY_NUM_FUNCTION1(name)                                          \
  SY_FN Num<float> name(Num<float> a) { return SY_LIBM(name##f)(a.v); } \
  SY_FN Num<double> name(Num<double> a) { return SY_LIBM(name)(a.v); }
#define SY_NUM_FUNCTION2(name)                                                             \
  SY_FN Num<float> name(Num<float> a, Num<float> b) { return SY_LIBM(name##f)(a.v, b.v); } \
  SY_FN Num<double> name(Num<double> a, Num<double> b) { return SY_LIBM(name)(a.v, b.v); }
SY_NUM_FUNCTION1(acos)
SY_NUM_FUNCTION1(acosh)
SY_NUM_FUNCTION1(asin)
SY_NUM_FUNCTION1(asinh)
SY_NUM_FUNCTION1(atan)
SY_NUM_FUNCTION1(atanh)
SY_NUM_FUNCTION1(ceil)
SY_NUM_FUNCTION1(cos)
SY_NUM_FUNCTION1(cosh)
SY_NUM_FUNCTION1(erf)
SY_NUM_FUNCTION1(erfc)
SY_NUM_FUNCTION1(exp)
SY_NUM_FUNCTION1(exp2)
SY_NUM_FUNCTION1(expm1)
SY_NUM_FUNCTION1(floor)
SY_NUM_FUNCTION1(lgamma)
SY_NUM_FUNCTION1(log)
SY_NUM_FUNCTION1(log10)
SY_NUM_FUNCTION1(log1p)
SY_NUM_FUNCTION1(log2)
SY_NUM_FUNCTION1(rint)
SY_NUM_FUNCTION1(sin)
SY_NUM_FUNCTION1(sinh)
SY_NUM_FUNCTION1(sqrt)
SY_NUM_FUNCTION1(tan)
SY_NUM_FUNCTION1(tanh)
SY_NUM_FUNCTION1(trunc)
SY_NUM_FUNCTION2(atan2)
SY_NUM_FUNCTION2(copysign)
SY_NUM_FUNCTION2(fmod)
SY_NUM_FUNCTION2(hypot)
SY_NUM_FUNCTION2(pow)
#undef SY_NUM_FUNCTION1
#undef SY_NUM_FUNCTION2
// The normal distribution: the probability below a; far below 0 it is 0 rather than small.
template <class T>
SY_FN Num<T> normal_cdf(Num<T> a) {
  return Num<T>(T(0.5)) * (Num<T>(T(1)) + erf(a * Num<T>(T(0.70710678118654752440))));  // sqrt(1/2)
}

// Integers, wrapping. Negative exponents: the exact result rounded towards 0, that is 0 but for
// bases 1 and -1. 0^0 is 1.
// Cost: two products for each bit of the exponent.
template <class T>
SY_FN Num<T> pow(Num<T> base, Num<T> exponent) {
  T e = exponent.v, result = 1, power = base.v;
  if constexpr (kIsSigned<T>) {
    if (e < T(0)) return base.v == T(1) ? T(1) : base.v == T(-1) ? T((e & 1) != 0 ? -1 : 1) : T(0);
  }
  for (; e != T(0); e = T(e >> 1)) {
    if ((e & 1) != 0) result = T(Wrap<T>(result) * Wrap<T>(power));
    power = T(Wrap<T>(power) * Wrap<T>(power));
  }
  return result;
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_VOCAB_H_
