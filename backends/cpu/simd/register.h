// Registers an operator's loops, and its kernel.
//
//   SY_CPU_LOOPS(add, f::Add, Binary, kAllOfThem, kThroughAWiderOne)
//   SY_CPU_KERNEL(add, "add.Tensor")
//
// The file is compiled once per instruction set (sy_cpu_loops in backends/cpu/defs.bzl). The first
// line makes one LoopTable in each, and with the baseline the LoopSet sy::cpu::loops::add that
// lists the three; the second registers a kernel that needs nothing but these loops, for an
// operator of as many tensors and numbers as the formula takes.
// Owns: nothing; tables are constants, the kernel lives for the program.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/backends/cpu/engine/loop_kernel.h"
#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/loops.h"
#include "switchyard/backends/cpu/simd/math.h"

namespace sy::cpu {

// The dtypes in which nearly every arithmetic operator computes.
inline constexpr DTypeMask kBool = Bit(DType::kBool), kIntegers = kIntegerTypes,
                           kWideUnsigned = kWideUnsignedTypes, kHalves = kHalfTypes,
                           kFloats = Bit(DType::kFloat32) | Bit(DType::kFloat64),
                           kComplex32 = Bit(DType::kComplex32), kComplexes = kComplexTypes,
                           kFloat8s = kFloat8Types;

}  // namespace sy::cpu

namespace sy::cpu::SY_ISA {

// --- Element types of dtypes
template <DType kD>
struct ElementOf;
template <>
struct ElementOf<DType::kBool> {
  using Type = uint8_t;
};
template <>
struct ElementOf<DType::kUInt8> {
  using Type = uint8_t;
};
template <>
struct ElementOf<DType::kInt8> {
  using Type = int8_t;
};
template <>
struct ElementOf<DType::kInt16> {
  using Type = int16_t;
};
template <>
struct ElementOf<DType::kInt32> {
  using Type = int32_t;
};
template <>
struct ElementOf<DType::kInt64> {
  using Type = int64_t;
};
template <>
struct ElementOf<DType::kUInt16> {
  using Type = uint16_t;
};
template <>
struct ElementOf<DType::kUInt32> {
  using Type = uint32_t;
};
template <>
struct ElementOf<DType::kUInt64> {
  using Type = uint64_t;
};
template <>
struct ElementOf<DType::kFloat16> {
  using Type = Float16;
};
template <>
struct ElementOf<DType::kBFloat16> {
  using Type = BFloat16;
};
template <>
struct ElementOf<DType::kFloat32> {
  using Type = float;
};
template <>
struct ElementOf<DType::kFloat64> {
  using Type = double;
};
template <>
struct ElementOf<DType::kComplex64> {
  using Type = Complex<float>;
};
template <>
struct ElementOf<DType::kComplex128> {
  using Type = Complex<double>;
};

// What stands for an element type where only its size matters.
template <int kBytes>
struct BytesOf {
  using Type = Int<kBytes>;
};
template <>
struct BytesOf<16> {
  using Type = Complex<double>;
};

// The lanes in which an element type is computed.
template <class T>
struct LaneOf {
  using Type = T;
};
template <>
struct LaneOf<Float16> {
  using Type = float;
};
template <>
struct LaneOf<BFloat16> {
  using Type = float;
};
template <class T>
struct LaneOf<Complex<T>> {
  using Type = T;
};
template <class T>
using BoolIo = MaskIo<typename LaneOf<T>::Type>;
// The real part of a complex type, the type itself otherwise.
template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using Type = T;
};
template <class T>
using RealIo = Io<typename RealOf<T>::Type>;

// --- Signatures: how the operands of a formula lie in memory
struct Unary {
  static constexpr Signature kSignature = Signature::kSame;
  static constexpr Arity kArity = {1, 0};
  static constexpr bool kBySize = false;
  template <class Op, class T>
  using LoopOf = Pointwise<Op, Io<T>, Io<T>>;
};
struct Binary : Unary {
  static constexpr Arity kArity = {2, 0};
  template <class Op, class T>
  using LoopOf = Pointwise<Op, Io<T>, Io<T>, Io<T>>;
};
struct Ternary : Unary {
  static constexpr Arity kArity = {3, 0};
  template <class Op, class T>
  using LoopOf = Pointwise<Op, Io<T>, Io<T>, Io<T>, Io<T>>;
};
struct Test : Unary {
  static constexpr Signature kSignature = Signature::kTruth;
  template <class Op, class T>
  using LoopOf = Pointwise<Op, BoolIo<T>, Io<T>>;
};
struct Compare : Test {
  static constexpr Arity kArity = {2, 0};
  template <class Op, class T>
  using LoopOf = Pointwise<Op, BoolIo<T>, Io<T>, Io<T>>;
};
struct ToReal : Unary {
  static constexpr Signature kSignature = Signature::kReal;
  template <class Op, class T>
  using LoopOf = Pointwise<Op, RealIo<T>, Io<T>>;
};
// Two real numbers, of which a complex one is made.
struct ToComplex : Unary {
  static constexpr Signature kSignature = Signature::kComplex;
  static constexpr Arity kArity = {2, 0};
  template <class Op, class T>
  using LoopOf = Pointwise<Op, Io<Complex<T>>, Io<T>, Io<T>>;
};
struct Select : Unary {
  static constexpr Signature kSignature = Signature::kSelect;
  static constexpr Arity kArity = {3, 0};
  static constexpr bool kBySize = true;  // bits are chosen, whatever they mean
  template <class Op, class T>
  using LoopOf = Pointwise<Op, Io<T>, BoolIo<T>, Io<T>, Io<T>>;
};

// With<Unary, 2>: a formula of a number and two parameters, which are the same for all elements.
template <class Loop, class Param, int kParams>
struct Append {
  using Type = Loop;
};
template <class Op, class... Io, class Param, int kParams>
requires(kParams > 0) struct Append<Pointwise<Op, Io...>, Param, kParams>
    : Append<Pointwise<Op, Io..., Param>, Param, kParams - 1> {
};
template <class Sig, int kParams>
struct With : Sig {
  static constexpr Arity kArity = {Sig::kArity.inputs, kParams};
  template <class Op, class T>
  using LoopOf = typename Append<typename Sig::template LoopOf<Op, T>, Param<T>, kParams>::Type;
};
using UnaryWith1 = With<Unary, 1>;  // names without a comma, for macros
using UnaryWith2 = With<Unary, 2>;
using UnaryWith3 = With<Unary, 3>;
using BinaryWith1 = With<Binary, 1>;
using TernaryWith1 = With<Ternary, 1>;
using CompareWith2 = With<Compare, 2>;

// --- Tables
template <class Op>
concept DiffersOnBool = requires {
  typename Op::OnBool;
};
template <class Op>
concept DiffersOnHalf = requires {
  typename Op::OnHalf;
};
template <class Op>
concept DiffersOnComplex = requires {
  typename Op::OnComplex;
};

// The last bits may differ between instruction sets.
template <class Op>
inline constexpr bool kApproximate = Op::kTranscendental;
template <DiffersOnComplex Op>
inline constexpr bool kApproximate<Op> = Op::kTranscendental || Op::OnComplex::kTranscendental;

template <class Sig, class Op, DType kD>
constexpr Loop LoopFor() {
  if constexpr (Sig::kBySize) {
    return &Sig::template LoopOf<Op, typename BytesOf<ItemSize(kD)>::Type>::Run;
  } else if constexpr (kD == DType::kBool && DiffersOnBool<Op>) {
    return &Sig::template LoopOf<typename Op::OnBool, int8_t>::Run;
  } else if constexpr (Contains(kHalves, kD) && DiffersOnHalf<Op>) {
    return &Sig::template LoopOf<typename Op::OnHalf, int16_t>::Run;
  } else if constexpr (IsComplex(kD) && DiffersOnComplex<Op>) {
    return &Sig::template LoopOf<typename Op::OnComplex, typename ElementOf<kD>::Type>::Run;
  } else if constexpr (Op::kRoundsEachStep && Contains(kHalves, kD)) {
    return &Sig::template LoopOf<Op, Stepwise<typename ElementOf<kD>::Type>>::Run;
  } else if constexpr (Op::kSignAgnostic && (IsIntegral(kD, true))) {
    return &Sig::template LoopOf<Op, Int<ItemSize(kD)>>::Run;
  } else {
    return &Sig::template LoopOf<Op, typename ElementOf<kD>::Type>::Run;
  }
}

template <class Sig, class Op, DTypeMask kDirect, DTypeMask kWidened, int... kI>
constexpr LoopTable MakeTable(Indices<kI...>) {
  LoopTable t{};
  const auto set = [&]<int kD>() {
    if constexpr (Contains(kDirect, static_cast<DType>(kD))) {
      t.loops[kD] = LoopFor<Sig, Op, static_cast<DType>(kD)>();
    }
  };
  (set.template operator()<kI>(), ...);
  for (int d = 0; d < kNumDTypes; ++d) {
    if (Contains(kWidened, static_cast<DType>(d))) {
      t.loops[d] = t.loops[static_cast<int>(Widened(static_cast<DType>(d)))];
    }
  }
  return t;
}
template <class Sig, class Op, DTypeMask kDirect, DTypeMask kWidened>
constexpr LoopTable MakeTable() {
  return MakeTable<Sig, Op, kDirect, kWidened>(MakeIndices<kNumDTypes>());
}

}  // namespace sy::cpu::SY_ISA

// Loops `name` of formula `Op`. direct: dtypes of computation that get a loop of their own; the
// last argument, 0 if there are none: those that run in the loop of a wider dtype, by conversion.
#define SY_CPU_LOOPS(name, Op, Sig, direct, widened)                           \
  namespace sy::cpu::SY_ISA::tables {                                          \
  extern constexpr LoopTable name = MakeTable<Sig, Op, (direct), (widened)>(); \
  }                                                                            \
  SY_BASELINE_ONLY(SY_LOOP_SET(name, Op, Sig, (direct), (widened)))

// The kernel of operator `op` that runs the loops `name`; what may follow: a LastNumber.
#define SY_CPU_KERNEL(name, op, ...)                                            \
  SY_BASELINE_ONLY(namespace sy::cpu {                                          \
    const LoopKernel name##_kernel{op, loops::name __VA_OPT__(, ) __VA_ARGS__}; \
  })

#define SY_LOOP_SET(name, Op, Sig, direct, widened)         \
  namespace sy::cpu {                                       \
  namespace avx2::tables {                                  \
  extern const LoopTable name;                              \
  }                                                         \
  namespace avx512::tables {                                \
  extern const LoopTable name;                              \
  }                                                         \
  namespace loops {                                         \
  extern constexpr LoopSet name{baseline::tables::name,     \
                                avx2::tables::name,         \
                                avx512::tables::name,       \
                                baseline::Sig::kSignature,  \
                                baseline::Sig::kArity,      \
                                baseline::kApproximate<Op>, \
                                direct,                     \
                                widened};                   \
  }                                                         \
  const NamedLoops name##_loops{#name, loops::name};        \
  }
#if SY_VECTOR_BYTES == 16
#define SY_BASELINE_ONLY(...) __VA_ARGS__
#else
#define SY_BASELINE_ONLY(...)
#endif

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_
