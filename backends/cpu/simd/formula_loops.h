// The loops of every formula of a header, for a file that is made of it (formula_sources in
// ops/formulas/defs.bzl) and compiled once per instruction set:
//
//   #include "switchyard/backends/cpu/simd/formula_loops.h"
//   #include "switchyard/ops/formulas/trigonometric.h"
//
// makes a LoopTable of each formula that this header states (SY_FORMULA), not of those in headers
// that it includes; and, for the baseline, the LoopSet that lists the instruction sets' tables, and
// the kernel of the operators that name the formula. Formulas of scalars alone get one table for
// all instruction sets.
// Owns: nothing; tables are constants, kernels live for the program.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SIMD_FORMULA_LOOPS_H_
#define SWITCHYARD_BACKENDS_CPU_SIMD_FORMULA_LOOPS_H_

#include "switchyard/backends/cpu/engine/loop_kernel.h"
#include "switchyard/backends/cpu/simd/register.h"

namespace sy::cpu {

SY_IN_EACH_ISA(template <class F> struct FormulaTable { static const LoopTable table; })

template <class F>
constexpr LoopTable SY_ISA::FormulaTable<F>::table = SY_ISA::MakeTable<F>();

#if SY_VECTOR_BYTES == 16

#define SY_FORMULA_TABLE(isa, ...) \
  F::kScalarOnly ? &baseline::FormulaTable<F>::table : &isa::FormulaTable<F>::table,
template <class F>
constexpr LoopSet FormulaLoops<F>::set{
    {SY_EACH_LINKED_ISA(SY_FORMULA_TABLE, )}, kFormula<F>, baseline::kApproximate<F>};
#undef SY_FORMULA_TABLE

namespace baseline {
template <class F, bool kOwn>
struct OwnLoops {};
template <class F>
struct OwnLoops<F, true> {
  LoopKernel kernel{kLoops<F>, kFormula<F>.file, kFormula<F>.line};
};
}  // namespace baseline

#else

namespace SY_ISA {
// Nothing refers to a table here but the baseline's set.
template <class F, bool kOwn>
struct OwnLoops {};
template <class F>
requires(!F::kScalarOnly) struct OwnLoops<F, true> {
  const LoopTable* table = &FormulaTable<F>::table;
};
}  // namespace SY_ISA

#endif

}  // namespace sy::cpu

// At the first level of inclusion stand the formulas of the header itself.
#undef SY_EACH_FORMULA
#define SY_EACH_FORMULA(Type)                                                            \
  [[gnu::used]] static const ::sy::cpu::SY_ISA::OwnLoops<Type, (__INCLUDE_LEVEL__ == 1)> \
      loops_of_##Type{};

#endif  // SWITCHYARD_BACKENDS_CPU_SIMD_FORMULA_LOOPS_H_
