// Registers a reduction's loops.
//
//   SY_CPU_REDUCTION(sum, f::Sum, kFloats | Bit(DType::kInt64), kIntegers)
//
// One file per reduction, compiled once per instruction set (sy_cpu_loops in
// backends/cpu/defs.bzl). direct: dtypes that get loops of their own; widened, 0 if there are
// none: those that run in the loops of WidenedSum. Makes the ReduceSet sy::cpu::loops::sum.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_

#include "switchyard/backends/cpu/simd/reduce_loops.h"
#include "switchyard/backends/cpu/simd/register.h"

namespace sy::cpu {
using f::kBool, f::kComplexes, f::kFloats, f::kHalves, f::kIntegers, f::kWideUnsigned;
}

namespace sy::cpu::SY_ISA {

template <class Red, DTypeMask kDirect, DTypeMask kWidened, int... kI>
constexpr ReduceTable MakeReduceTable(Indices<kI...>) {
  ReduceTable t{};
  const auto set = [&]<int kD>() {
    if constexpr (Contains(kDirect, static_cast<DType>(kD)))
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

#define SY_CPU_REDUCTION(name, Red, direct, widened)                        \
  namespace sy::cpu::SY_ISA::tables {                                       \
  extern constexpr ReduceTable name =                                       \
      MakeReduceTable<Red, (direct), (widened)>(MakeIndices<kNumDTypes>()); \
  }                                                                         \
  SY_BASELINE_ONLY(SY_REDUCE_SET(name, Red, (direct), (widened)))

#if SY_VECTOR_BYTES == 16
#define SY_BASELINE_ONLY(...) __VA_ARGS__
#else
#define SY_BASELINE_ONLY(...)
#endif

#define SY_REDUCE_SET(name, Red, direct, widened)                                          \
  namespace sy::cpu {                                                                      \
  SY_IN_EACH_ISA(namespace tables { extern const ReduceTable name; })                      \
  namespace loops {                                                                        \
  extern constexpr ReduceSet name{SY_OF_EACH_ISA(tables::name), &baseline::PartsOf<Red>,   \
                                  Red::kState == f::StateKind::kLocated, direct, widened}; \
  }                                                                                        \
  }

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_REDUCE_REGISTER_H_
