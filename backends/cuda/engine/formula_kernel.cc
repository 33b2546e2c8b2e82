// The kernels of operators that are a formula of their tensors and numbers, and nothing else.

#include <new>
#include <utility>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/plan/pointwise_source.h"
#include "switchyard/backends/cuda/formula.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {
namespace {

const FormulaDef& FormulaOf(const Call& call) {
  return *static_cast<const FormulaDef*>(call.kernel->data);
}

template <class... A>
void SetFunction(KernelDef& def, void (*fn)(Call, A...)) {
  def.fn = reinterpret_cast<Fn>(fn);
  def.thunk = sy::internal::ThunkOf<void, A...>::Run;
  def.code = SignatureCode<void(A...)>::kText;
}

template <class T, class N>
struct KernelOf;
template <size_t... kT, size_t... kN>
struct KernelOf<std::index_sequence<kT...>, std::index_sequence<kN...>> {
  template <size_t, class A>
  using Each = A;
  static void Run(Call call, const Tensor& out, Each<kT, const Tensor&>... in,
                  Each<kN, const Scalar&>... numbers) {
    RunFormula(call, FormulaOf(call), out, {&in...}, {numbers...});
  }
};

void BinaryKeepingNumber(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  if (other.numel() == 1 && other.dtype() != call.dtype())
    return RunKeepingNumber(call, FormulaOf(call), out, {&self, &other});
  RunFormula(call, FormulaOf(call), out, {&self, &other});
}

void TernaryKeepingNumber(Call call, const Tensor& out, const Tensor& a, const Tensor& b,
                          const Tensor& c) {
  if (c.is_wrapped_number()) return RunKeepingNumber(call, FormulaOf(call), out, {&a, &b, &c});
  RunFormula(call, FormulaOf(call), out, {&a, &b, &c});
}

// As many tensors and numbers as the formula takes.
template <size_t kInputs, size_t kParams>
void SetFunction(KernelDef& def) {
  using K = KernelOf<std::make_index_sequence<kInputs>, std::make_index_sequence<kParams>>;
  SetFunction(def, K::Run);
}
template <size_t kInputs>
void SetFunction(KernelDef& def, int params) {
  params == 0   ? SetFunction<kInputs, 0>(def)
  : params == 1 ? SetFunction<kInputs, 1>(def)
  : params == 2 ? SetFunction<kInputs, 2>(def)
                : SetFunction<kInputs, 3>(def);
}
void SetFunction(KernelDef& def, const FormulaFacts& facts) {
  if (facts.last == LastNumber::kKept)
    return facts.inputs == 2 ? SetFunction(def, BinaryKeepingNumber)
                             : SetFunction(def, TernaryKeepingNumber);
  facts.inputs == 1   ? SetFunction<1>(def, facts.params)
  : facts.inputs == 2 ? SetFunction<2>(def, facts.params)
                      : SetFunction<3>(def, facts.params);
}

}  // namespace

FormulaKernel::FormulaKernel(const FormulaDef& formula, const char* header)
    : formula_(formula), header_(header) {
  LinkFormula(this, next_);
  static_assert(sizeof(node_) >= sizeof(KernelDef) && alignof(FormulaKernel) >= alignof(KernelDef));
  KernelDef& def = *new (node_) KernelDef;
  SetFunction(def, formula.facts);
  def.op = formula.name;
  def.op_hash = HashName(def.op);
  def.data = &formula;
  def.device = "cuda";
  def.dtypes = formula.dtypes();
  def.file = formula.file;
  def.line = formula.line;
  sy::internal::LinkKernel(&def);
}

}  // namespace sy::cuda
