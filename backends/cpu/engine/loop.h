// Inner loops and the tables in which the engine finds them.
//
//   LoopSet of a formula → the table of the instruction set in use → the loop of a dtype
//
// A loop computes n elements from contiguous operands: p[0] is the output, the others are inputs in
// the formula's order. Everything else (broadcasting, strides, conversion, threads) is the
// engine's. No header of the standard library: files that are compiled once per instruction set
// include this.
// Owns: nothing; tables are constants.
// Threads: any.
// Errors: none; loops are given what they can compute.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_

#include <stddef.h>
#include <stdint.h>

#include "switchyard/backends/cpu/simd/isas.h"
#include "switchyard/registry/formula.h"

namespace sy::cpu {

// Numbers of a formula; facts allow 3.
inline constexpr int kMaxParams = 4;

// p: the output, the inputs, and, for a formula with parameters, one number for each of them.
// mode: 0, or
//   kStream     write around the cache; p[0] is then a multiple of 64;
//   Uniform(k)  operand k is the same for all elements: p[k] has kUniformBytes of them. Loops that
//               convert or copy do not know this one.
using Loop = void (*)(void* const* p, size_t n, unsigned mode);
inline constexpr unsigned kStream = 1;
constexpr unsigned Uniform(int k) { return 1u << k; }
inline constexpr int kUniformBytes = 128;  // two registers, as complex operands take

// A loop for each dtype of computation, null where there is none.
struct LoopTable {
  Loop loops[kNumDTypes];
};

// A formula's loops on all instruction sets.
struct LoopSet {
  const LoopTable* tables[kNumIsas];
  const FormulaDef* formula;
  DTypeMask dtypes;           // of computation, that there are loops for
  DTypeMask direct;           // those that have one of their own
  bool approximate;           // the last bits may depend on the instruction set
  DType runs_in[kNumDTypes];  // d itself, or Widened(d)
  DType output[kNumDTypes];   // what the loop writes

  constexpr LoopSet(const LoopTable* const (&of_isa)[kNumIsas], const FormulaDef& of,
                    bool approximate_)
      : LoopSet(of, approximate_) {
    for (int i = 0; i < kNumIsas; ++i) tables[i] = of_isa[i];
  }
  // The same on all of them.
  constexpr LoopSet(const LoopTable& of_all, const FormulaDef& of) : LoopSet(of, false) {
    for (const LoopTable*& table : tables) table = &of_all;
  }

 private:
  constexpr LoopSet(const FormulaDef& of, bool approximate_)
      : tables{},
        formula(&of),
        dtypes(of.dtypes()),
        direct(of.facts.dtypes),
        approximate(approximate_),
        runs_in{},
        output{} {
    for (int i = 0; i < kNumDTypes; ++i) {
      runs_in[i] = of.RunsIn(static_cast<DType>(i));
      output[i] = OutputOf(of.facts.signature, runs_in[i]);
    }
  }
};

// What other files define is used without a definition in sight.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

// Where the loops of formula F are: the file that is made of F's header defines them
// (simd/formula_loops.h).
//
//   RunLoops(kLoops<f::Sin>, call.dtype(), out, self);
template <class F>
struct FormulaLoops {
  static const LoopSet set;
};
template <class F>
inline constexpr const LoopSet& kLoops = FormulaLoops<F>::set;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_
