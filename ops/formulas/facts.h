// How a formula's facts are stated, once, beside its arithmetic.
//
//   struct LeakyRelu : Formula {
//     template <class V>
//     SY_FN V operator()(V a, V slope) const { … }
//   };
//   SY_FORMULA(LeakyRelu, .params = 1, .dtypes = kHalves | kFloats)
//
// in the formula's namespace. Every backend computes with it, and an operator whose file names
// kFormula<f::LeakyRelu> runs on all of them. SY_FACTS states them of a formula for which a backend
// has arithmetic of its own, or none: functions of libraries (library.h), parts of kernels.
//
// What follows Type initialises a FormulaFacts (switchyard/registry/formula.h), in this order:
//
//   .inputs     tensors, 1 by default
//   .params     numbers after them, 0 by default
//   .signature  kSame by default; kTruth, kReal, kComplex, kSelect
//   .last       kRounded by default; kKept
//   .dtypes     in which the arithmetic runs
//   .widened    in whose stead it runs in a wider one
//
// Owns: nothing. Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_FACTS_H_
#define SWITCHYARD_OPS_FORMULAS_FACTS_H_

// Code for a GPU is compiled for what the host has read in the facts.
#if defined(__CUDACC_RTC__)

#define SY_FACTS(Type, ...)
#define SY_FORMULA(Type, ...)

#else

#include "switchyard/registry/formula.h"

namespace sy::f {

// The dtypes in which nearly every formula computes. kFloats are float32 and float64 alone;
// kHalves, float16 and bfloat16, are computed in float; kComplexes are complex64 and complex128.
inline constexpr DTypeMask kBool = Bit(DType::kBool), kIntegers = kIntegerTypes,
                           kWideUnsigned = kWideUnsignedTypes, kHalves = kHalfTypes,
                           kFloats = Mask(DType::kFloat32, DType::kFloat64),
                           kComplex32 = Bit(DType::kComplex32), kComplexes = kComplexTypes,
                           kFloat8s = kFloat8Types;

}  // namespace sy::f

// Headers of formulas are read by the file that a backend makes of each, which says before what
// becomes of those with facts, and of those that it computes (SY_EACH_FACTS, SY_EACH_FORMULA).
// Anyone else who includes them gets the arithmetic and the constants alone.
#define SY_FACTS(Type, ...)                                                                      \
  consteval ::sy::internal::StatedFacts FactsOf(const Type*) {                                   \
    using namespace ::sy::f;                                                                     \
    using enum ::sy::Signature;                                                                  \
    using enum ::sy::LastNumber;                                                                 \
    return {                                                                                     \
        .facts = {__VA_ARGS__}, .file = ::sy::internal::SourceName(__FILE__), .line = __LINE__}; \
  }                                                                                              \
  SY_EACH_FACTS(Type)
#define SY_FORMULA(Type, ...) \
  SY_FACTS(Type, __VA_ARGS__) \
  SY_EACH_FORMULA(Type)

#if !defined(SY_EACH_FACTS)
#define SY_EACH_FACTS(Type)
#endif
#if !defined(SY_EACH_FORMULA)
#define SY_EACH_FORMULA(Type)
#endif

#endif  // __CUDACC_RTC__

#endif  // SWITCHYARD_OPS_FORMULAS_FACTS_H_
