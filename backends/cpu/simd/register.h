// Tables of loops, made of formulas and their facts.
//
//   constexpr LoopTable t = MakeTable<f::Sin>();   for this instruction set
//
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_

#include "switchyard/backends/cpu/engine/loop.h"
#include "switchyard/backends/cpu/simd/io.h"
#include "switchyard/backends/cpu/simd/loops.h"
#include "switchyard/backends/cpu/simd/math.h"
#include "switchyard/ops/formulas/facts.h"

namespace sy::cpu::SY_ISA {

// What a table needs of a dtype is found by templates over it, so that a formula is compiled for
// the dtypes in its facts and for no other: a table of 18 entries, null where it does not compute.

// --- Element types of dtypes
// What one element is in memory, as Io and formulas know it; 8-bit floats and complex32 have none,
// since no formula computes in them.
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
// Truth values in memory, one byte each, for lanes as wide as T's.
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

// --- How the operands of a formula lie in memory where it computes in elements of type T
// The result: of the inputs' type, unless the facts say truth values, real parts or complex
// numbers.
template <Signature kSignature, class T>
struct OutputIo {
  using Type = Io<T>;
};
template <class T>
struct OutputIo<Signature::kTruth, T> {
  using Type = BoolIo<T>;
};
template <class T>
struct OutputIo<Signature::kReal, T> {
  using Type = RealIo<T>;
};
template <class T>
struct OutputIo<Signature::kComplex, T> {
  using Type = Io<Complex<T>>;
};
// Input kAt: all of the one type T, but for the condition of a choice, which is bool.
template <Signature kSignature, int kAt, class T>
struct InputIo {
  using Type = Io<T>;
};
template <class T>
struct InputIo<Signature::kSelect, 0, T> {
  using Type = BoolIo<T>;
};
// A number of the call, the same for all elements.
template <int kAt, class T>
using ParamIo = Param<T>;

// The facts that SY_FORMULA states of F.
template <class F>
inline constexpr FormulaFacts kFacts = FactsOf(static_cast<const F*>(nullptr)).facts;

// Op: F's arithmetic, or what takes its place for some dtypes.
template <class F, class Op, class T, int... kInput, int... kParam>
constexpr Loop LoopOf(Indices<kInput...>, Indices<kParam...>) {
  constexpr Signature kSignature = kFacts<F>.signature;
  return &Pointwise<Op, typename OutputIo<kSignature, T>::Type,
                    typename InputIo<kSignature, kInput, T>::Type..., ParamIo<kParam, T>...>::Run;
}
template <class F, class Op, class T>
constexpr Loop LoopOf() {
  return LoopOf<F, Op, T>(MakeIndices<kFacts<F>.inputs>(), MakeIndices<kFacts<F>.params>());
}

// --- Tables
// Formulas whose arithmetic is another one for bool (add is or), for 16-bit floats or for complex
// numbers name that in a member type.
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

// The loop of Op for a dtype. Choices move bytes, so that dtypes of a size share one; arithmetic
// that is the same for signed and unsigned integers is compiled for the signed ones.
template <class F, class Op, DType kD>
constexpr Loop LoopFor() {
  if constexpr (kFacts<F>.signature == Signature::kSelect) {
    return LoopOf<F, Op, typename BytesOf<ItemSize(kD)>::Type>();
  } else if constexpr (kD == DType::kBool && DiffersOnBool<Op>) {
    return LoopOf<F, typename Op::OnBool, int8_t>();
  } else if constexpr (Contains(kHalfTypes, kD) && DiffersOnHalf<Op>) {
    return LoopOf<F, typename Op::OnHalf, int16_t>();
  } else if constexpr (IsComplex(kD) && DiffersOnComplex<Op>) {
    return LoopOf<F, typename Op::OnComplex, typename ElementOf<kD>::Type>();
  } else if constexpr (Op::kRoundsEachStep && Contains(kHalfTypes, kD)) {
    return LoopOf<F, Op, Stepwise<typename ElementOf<kD>::Type>>();
  } else if constexpr (Op::kSignAgnostic && IsIntegral(kD, true)) {
    return LoopOf<F, Op, Int<ItemSize(kD)>>();
  } else {
    return LoopOf<F, Op, typename ElementOf<kD>::Type>();
  }
}

// kI: 0 … kNumDTypes - 1.
template <class F, class Op, int... kI>
constexpr LoopTable MakeTable(Indices<kI...>) {
  LoopTable t{};
  const auto set = [&]<int kD>() {
    if constexpr (Contains(kFacts<F>.dtypes, static_cast<DType>(kD))) {
      t.loops[kD] = LoopFor<F, Op, static_cast<DType>(kD)>();
    }
  };
  (set.template operator()<kI>(), ...);
  for (int d = 0; d < kNumDTypes; ++d) {
    if (Contains(kFacts<F>.widened, static_cast<DType>(d))) {
      t.loops[d] = t.loops[static_cast<int>(Widened(static_cast<DType>(d)))];
    }
  }
  return t;
}
// The loops of formula F, whose arithmetic on this device is Op.
template <class F, class Op = F>
constexpr LoopTable MakeTable() {
  return MakeTable<F, Op>(MakeIndices<kNumDTypes>());
}

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REGISTER_H_
