// Kernels that are formulas of tensors and numbers, on any backend.
//
//   void Square(Call call, const Tensor& out, const Tensor& self) {
//     Compute<E, f::Mul>(call, out, self, self);
//   }
//
// E is what a backend gives, a struct Engine in its engine/engine.h:
//
//   kDevice                                      "cpu"
//   Formula                                      how it refers to a formula
//   Of<F>()                                      F's
//   Of(call)                                     that of a kernel that LinkFormulaKernel registered
//   Run(formula, call, out, tensors…)            inputs broadcast to out and convert to the call's
//                                                dtype; the result converts to out's
//   RunSelect(formula, call, out, condition, a, b)    the same of Signature::kSelect
//   RunWith(formula, call, out, {tensors}, {numbers})
//   RunKeepingNumber(formula, call, out, {tensors})  the last tensor, one number, is not rounded
//   Copy(call, out, source), Fill(call, out, number)
//   RequireNoZero(call, divisors), RequireProbabilities(call, t)    kInvalidValue, at once or at
//       the next synchronising call
//   Reduce<R>(call, dtype, self, mask, first, finish)    in `dtype`, R of ops/formulas/reduce.h.
//       first: values, or the spread
//   ReduceSecond<R>(call, dtype, self, mask, second)     positions
//   ReduceBoth<R>(call, dtype, self, mask, first, second, finish)    second: positions, or means
//
// Kernels that are written once for all backends with it are in backends/common/kernels.
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_FORMULA_KERNEL_H_
#define SWITCHYARD_BACKENDS_COMMON_FORMULA_KERNEL_H_

#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"
#include "switchyard/registry/formula.h"

namespace sy {

// Whether `last`, the last of a formula's tensors, is a number that a computation in `dtype` does
// not round to it: of two tensors any one element of another dtype, of three what was a Scalar.
// Source: ATen's BinaryOpsKernel.cpp (mul, div), LerpKernel.cpp.
inline bool KeepsNumber(DType dtype, int inputs, const Tensor& last) {
  if (!Contains(kHalfTypes, dtype)) return false;
  return inputs == 2 ? last.numel() == 1 && last.dtype() != dtype : last.is_wrapped_number();
}

// A formula whose facts say LastNumber::kKept.
template <class E, class... In>
SY_INLINE void RunOrKeepNumber(typename E::Formula formula, const Call& call, const Tensor& out,
                               const In&... in) {
  const Tensor* const tensors[] = {&in...};
  if (KeepsNumber(call.dtype(), sizeof...(In), *tensors[sizeof...(In) - 1])) [[unlikely]]
    return E::RunKeepingNumber(formula, call, out, {&in...});
  E::Run(formula, call, out, in...);
}

// out = F of as many tensors as it takes.
template <class E, class F, class... In>
SY_INLINE void Compute(const Call& call, const Tensor& out, const In&... in) {
  constexpr FormulaFacts kFacts = kFormula<F>.facts;
  static_assert(sizeof...(In) == kFacts.inputs && kFacts.params == 0);
  if constexpr (kFacts.signature == Signature::kSelect) {
    E::RunSelect(E::template Of<F>(), call, out, in...);
  } else if constexpr (kFacts.last == LastNumber::kKept) {
    RunOrKeepNumber<E>(E::template Of<F>(), call, out, in...);
  } else {
    E::Run(E::template Of<F>(), call, out, in...);
  }
}
// Of tensors and numbers.
template <class E, class F>
void ComputeWith(const Call& call, const Tensor& out, std::initializer_list<const Tensor*> in,
                 std::initializer_list<Scalar> numbers) {
  E::RunWith(E::template Of<F>(), call, out, in, numbers);
}

namespace internal {

template <class E, class Tensors, class Numbers>
struct FormulaFunction;
template <class E, size_t... kT, size_t... kN>
struct FormulaFunction<E, std::index_sequence<kT...>, std::index_sequence<kN...>> {
  template <size_t, class A>
  using Each = A;
  static void Run(Call call, const Tensor& out, Each<kT, const Tensor&>... in,
                  Each<kN, const Scalar&>... numbers) {
    if constexpr (sizeof...(numbers) == 0) {
      E::Run(E::Of(call), call, out, in...);
    } else {
      E::RunWith(E::Of(call), call, out, {&in...}, {numbers...});
    }
  }
};
template <class E>
void Select(Call call, const Tensor& out, const Tensor& condition, const Tensor& a,
            const Tensor& b) {
  E::RunSelect(E::Of(call), call, out, condition, a, b);
}
template <class E, class... T>
void KeepNumber(Call call, const Tensor& out, const T&... in) {
  RunOrKeepNumber<E>(E::Of(call), call, out, in...);
}

template <class... A>
void SetFunction(KernelDef& def, void (*fn)(Call, A...)) {
  def.fn = reinterpret_cast<Fn>(fn);
  def.thunk = ThunkOf<void, A...>::Run;
  def.code = SignatureCode<void(A...)>::kText;
}
template <class E, size_t kInputs, size_t kParams>
void SetFunction(KernelDef& def) {
  SetFunction(def, FormulaFunction<E, std::make_index_sequence<kInputs>,
                                   std::make_index_sequence<kParams>>::Run);
}
template <class E, size_t kInputs>
void SetFunction(KernelDef& def, int params) {
  params == 0   ? SetFunction<E, kInputs, 0>(def)
  : params == 1 ? SetFunction<E, kInputs, 1>(def)
  : params == 2 ? SetFunction<E, kInputs, 2>(def)
                : SetFunction<E, kInputs, 3>(def);
}
template <class E>
void SetFunction(KernelDef& def, const FormulaFacts& facts) {
  if (facts.signature == Signature::kSelect) return SetFunction(def, Select<E>);
  if (facts.last == LastNumber::kKept)
    return facts.inputs == 2 ? SetFunction(def, KeepNumber<E, Tensor, Tensor>)
                             : SetFunction(def, KeepNumber<E, Tensor, Tensor, Tensor>);
  facts.inputs == 1   ? SetFunction<E, 1>(def, facts.params)
  : facts.inputs == 2 ? SetFunction<E, 2>(def, facts.params)
                      : SetFunction<E, 3>(def, facts.params);
}

}  // namespace internal

// Registers the kernel of every operator that names the formula: its arguments are the formula's
// tensors, then, for its parameters, Scalars. node: room for a KernelDef, which must live as long
// as the program calls operators; data: what E::Of(call) finds. Before main; throws nothing.
template <class E>
void LinkFormulaKernel(void* node, const FormulaDef& formula, const void* data, const char* file,
                       int line) {
  KernelDef& def = *new (node) KernelDef;
  internal::SetFunction<E>(def, formula.facts);
  def.op = formula.name;
  def.op_hash = HashName(def.op);
  def.data = data;
  def.device = E::kDevice;
  def.dtypes = formula.dtypes();
  def.file = file;
  def.line = line;
  internal::LinkKernel(&def);
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_FORMULA_KERNEL_H_
