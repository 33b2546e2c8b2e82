// Inner loops and the tables in which the engine finds them.
//
//   LoopSet of an operator → the table of the instruction set in use → the loop of a dtype
//
// A loop computes n elements from contiguous operands: p[0] is the output, the others are inputs in
// the operator's order. Everything else (broadcasting, strides, conversion, threads) is the
// engine's. No header of the standard library: files that are compiled once per instruction set
// include this.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_

#include <stddef.h>
#include <stdint.h>

#include "switchyard/core/dtype_enum.h"

namespace sy::cpu {

inline constexpr int kNumIsas = 3;  // baseline x86-64, AVX2, AVX-512
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

// Which dtypes a loop's operands have in memory, given the dtype T it runs in.
enum class Signature : uint8_t {
  kSame,     // all T
  kTruth,    // inputs T, output bool
  kReal,     // inputs T, output the type of T's parts
  kComplex,  // inputs T, output the complex type whose parts are T
  kSelect,   // first input bool, all else T
};

// A formula's operands besides the output: tensors, then numbers that are the same for all
// elements.
struct Arity {
  int8_t inputs, params;
};

// The dtype in whose loop a computation in `d` may run instead: one that holds it exactly.
constexpr DType Widened(DType d) {
  switch (d) {
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kFloat8E4M3FN:
    case DType::kFloat8E5M2:
      return DType::kFloat32;
    case DType::kComplex32:
      return DType::kComplex64;
    case DType::kBool:
    case DType::kUInt8:
    case DType::kInt8:
    case DType::kInt16:
      return DType::kInt32;
    default:
      return DType::kInt64;
  }
}

constexpr DType OutputOf(Signature s, DType t) {
  switch (s) {
    case Signature::kTruth:
      return DType::kBool;
    case Signature::kReal:
      return RealType(t);
    case Signature::kComplex:
      return ComplexType(t);
    default:
      return t;
  }
}
// What a parameter of a loop that runs in `d` is in memory: 16-bit floats compute in float.
constexpr DType ParamType(DType d) { return Contains(kHalfTypes, d) ? DType::kFloat32 : d; }

// An operator's loops on all instruction sets.
struct LoopSet {
  const LoopTable* tables[kNumIsas];
  DTypeMask dtypes;  // of computation, that there are loops for
  DTypeMask direct;  // those that have one of their own
  Signature signature;
  Arity arity;
  bool approximate;           // the last bits may depend on the instruction set
  DType runs_in[kNumDTypes];  // d itself, or Widened(d)
  DType output[kNumDTypes];   // what the loop writes

  // widened: the dtypes that run in a wider one's loop.
  constexpr LoopSet(const LoopTable& baseline, const LoopTable& avx2, const LoopTable& avx512,
                    Signature s, Arity arity_, bool approximate_, DTypeMask direct_,
                    DTypeMask widened)
      : tables{&baseline, &avx2, &avx512},
        dtypes(direct_ | widened),
        direct(direct_),
        signature(s),
        arity(arity_),
        approximate(approximate_) {
    for (int i = 0; i < kNumDTypes; ++i) {
      const DType d = static_cast<DType>(i);
      runs_in[i] = Contains(widened, d) ? Widened(d) : d;
      output[i] = OutputOf(s, runs_in[i]);
    }
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_LOOP_H_
