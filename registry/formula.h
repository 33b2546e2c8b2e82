// What is said about a formula beside its arithmetic: how many tensors and numbers it takes, the
// dtypes that it computes in, what its result is. Backends make loops and kernels of it.
//
//   const FormulaDef& sine = kFormula<f::Sin>;
//   sine.type();    "sy::f::Sin"
//   sine.dtypes();  float16 … complex128
//
// Facts are stated by SY_FORMULA (switchyard/ops/formulas/facts.h). An operator names the formula
// that computes it (op/operator.h), and a kernel may be registered for a formula, by its
// name: it serves every operator that names it.
// No header of the standard library: code that is compiled once per instruction set includes this.
// Owns: nothing; all of it is constant.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_REGISTRY_FORMULA_H_
#define SWITCHYARD_REGISTRY_FORMULA_H_

#include "switchyard/core/dtype_enum.h"

namespace sy {

// The dtypes of a formula's operands, given the dtype T that it computes in: T is one of its
// dtypes.
enum class Signature : uint8_t {
  kSame,     // all T
  kTruth,    // inputs T, output bool
  kReal,     // inputs T, output the type of T's parts
  kComplex,  // inputs T, output the complex type whose parts are T
  kSelect,   // first input bool, all else T, whose bits are chosen, whatever they mean
};

// What one element of another dtype, given for the last tensor, becomes where the formula computes
// in 16-bit floats.
enum class LastNumber : uint8_t {
  kRounded,  // one of these
  kKept,     // what it is: x * 70000 in float16 is not infinite
};

// What SY_FORMULA states: constants of the compiler.
struct FormulaFacts {
  int8_t inputs = 1;  // tensors: its first arguments
  int8_t params = 0;  // numbers, the same for all elements: those after them; at most 3
  Signature signature = Signature::kSame;
  LastNumber last = LastNumber::kRounded;
  DTypeMask dtypes = 0;   // in which it computes
  DTypeMask widened = 0;  // in whose stead it computes in a wider one (Widened), by conversion
};

// The dtype in which a computation in `d` may run instead: one that holds it exactly. float32 for
// 16- and 8-bit floats, complex64 for complex32, int32 for bool and integers below 32 bits, else
// int64.
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
// Of a formula that computes in t.
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
// What a parameter of a formula that computes in `d` is in memory: 16-bit floats compute in float.
constexpr DType ParamType(DType d) { return Contains(kHalfTypes, d) ? DType::kFloat32 : d; }

// A formula as the registry knows it: a name, facts and a place. Constant; compared by name.
struct FormulaDef {
  static constexpr int kPrefix = 8;  // of the name: "formula "
  const char* name;                  // "formula sy::f::Sin": under which kernels register for it
  FormulaFacts facts;
  const char* file;  // where they are stated
  int line;

  // "sy::f::Sin", as the compiler spells it.
  constexpr const char* type() const { return name + kPrefix; }
  // All that operators may be called with: computed in, or converted.
  constexpr DTypeMask dtypes() const { return facts.dtypes | facts.widened; }
  // The dtype that a computation in `d`, one of dtypes(), runs in.
  constexpr DType RunsIn(DType d) const { return Contains(facts.widened, d) ? Widened(d) : d; }
};

namespace internal {

// Facts as SY_FORMULA states them; found through the formula's namespace.
struct StatedFacts {
  FormulaFacts facts;
  const char* file;
  int line;
};

// Past `prefix`, or null.
constexpr const char* After(const char* s, const char* prefix) {
  for (; *prefix != 0; ++s, ++prefix) {
    if (*s != *prefix) return nullptr;
  }
  return s;
}
// A header's place in the tree: without the folder from which Bazel lets it be included.
constexpr const char* SourceName(const char* file) {
  const char* name = file;
  for (const char* s = file; *s != 0; ++s) {
    const char* target = After(s, "/_virtual_includes/");
    if (target == nullptr) continue;
    while (*target != 0 && *target != '/') ++target;
    name = *target == 0 ? file : target + 1;
  }
  const char* inside = After(name, "switchyard/");
  return inside == nullptr ? name : inside;
}

// T's name: a part of this function's own, "… [with T = sy::f::Sin]" (g++), "… [T = sy::f::Sin]"
// (clang).
template <class T>
consteval const char* TypeName() {
  const char* s = __PRETTY_FUNCTION__;
  while (!(s[0] == 'T' && s[1] == ' ' && s[2] == '=')) ++s;
  return s + 4;
}
template <class T>
consteval int TypeNameLength() {
  int n = 0;
  while (TypeName<T>()[n + 1] != 0) ++n;  // but for the bracket
  return n;
}
template <class T>
struct FormulaName {
  char text[FormulaDef::kPrefix + TypeNameLength<T>() + 1] = {};
  consteval FormulaName() {
    char* to = text;
    for (const char* s = "formula "; *s != 0; ++s) *to++ = *s;
    for (int i = 0; i < TypeNameLength<T>(); ++i) *to++ = TypeName<T>()[i];
  }
};
template <class T>
inline constexpr FormulaName<T> kFormulaName;

constexpr FormulaDef Define(const char* name, const StatedFacts& s) {
  return {name, s.facts, s.file, s.line};
}

}  // namespace internal

// The facts of formula F, a type with SY_FACTS or SY_FORMULA beside it; for others it does not
// compile.
template <class F>
inline constexpr FormulaDef kFormula = internal::Define(internal::kFormulaName<F>.text,
                                                        FactsOf(static_cast<const F*>(nullptr)));

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_FORMULA_H_
