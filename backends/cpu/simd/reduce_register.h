// Registers a reduction's loops.
//
//   SY_CPU_REDUCTION(sum, f::Sum)
//
// One file per reduction, compiled once per instruction set (sy_cpu_loops in
// backends/cpu/defs.bzl). The dtypes in its facts get loops of their own; the widened ones run in
// the loops of WidenedSum. Makes the ReduceSet kReduceLoops<f::Sum>.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_

#include "switchyard/backends/cpu/simd/reduce_loops.h"
#include "switchyard/backends/cpu/simd/register.h"

namespace sy::cpu::SY_ISA {

template <class Red, int... kI>
constexpr ReduceTable MakeReduceTable(Indices<kI...>) {
  constexpr DTypeMask kWidened = kFacts<Red>.widened;
  ReduceTable t{};
  const auto set = [&]<int kD>() {
    if constexpr (Contains(kFacts<Red>.dtypes, static_cast<DType>(kD)))
      t.loops[kD] = ReduceBy<Red, typename ElementOf<static_cast<DType>(kD)>::Type>::kLoops;
  };
  (set.template operator()<kI>(), ...);
  for (int d = 0; d < kNumDTypes; ++d) {
    if (Contains(kWidened, static_cast<DType>(d)))
      t.loops[d] = t.loops[static_cast<int>(WidenedSum(static_cast<DType>(d)))];
  }
  if constexpr ((kWidened & kReadBytes) != 0) {
    for (int d = 0; d < kNumDTypes; ++d) {
      if (Contains(kWidened & kReadBytes, static_cast<DType>(d)))
        t.loops[d] = ReduceBy<Red, WideByte>::kLoops;
    }
  }
  return t;
}

template <class Red>
constexpr StateParts PartsOf(DType d) {
  if (Red::kState == StateKind::kMoments) return {2, {DType::kFloat64, DType::kFloat64}};
  const DType value = Contains(kHalfTypes, d) ? DType::kFloat32 : d;
  if (Red::kState == StateKind::kLocated) return {2, {value, DType::kInt64}};
  return {1, {value, value}};
}

}  // namespace sy::cpu::SY_ISA

#define SY_CPU_REDUCTION(name, Red)                                                    \
  namespace sy::cpu::SY_ISA::tables {                                                  \
  extern constexpr ReduceTable name = MakeReduceTable<Red>(MakeIndices<kNumDTypes>()); \
  }                                                                                    \
  SY_BASELINE_ONLY(SY_REDUCE_SET(name, Red))

#if SY_VECTOR_BYTES == 16
#define SY_BASELINE_ONLY(...) __VA_ARGS__
#else
#define SY_BASELINE_ONLY(...)
#endif

#define SY_REDUCE_SET(name, Red)                                           \
  namespace sy::cpu {                                                      \
  SY_IN_EACH_ISA(namespace tables { extern const ReduceTable name; })      \
  template <>                                                              \
  constexpr ReduceSet ReductionLoops<Red>::set{                            \
      SY_OF_EACH_ISA(tables::name), &baseline::PartsOf<Red>,               \
      Red::kState == f::StateKind::kLocated, baseline::kFacts<Red>.dtypes, \
      baseline::kFacts<Red>.widened};                                      \
  }

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_
