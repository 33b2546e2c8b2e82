#include "switchyard/backends/cpu/engine/loop_kernel.h"

#include <new>
#include <utility>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/core/keep_object.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

const LoopSet& LoopsOf(const Call& call) { return *static_cast<const LoopSet*>(call.kernel->data); }

// Operators of T tensors and N numbers.
template <class T, class N>
struct KernelOf;
template <size_t... kT, size_t... kN>
struct KernelOf<std::index_sequence<kT...>, std::index_sequence<kN...>> {
  template <size_t, class A>
  using Each = A;
  static void Run(Call call, const Tensor& out, Each<kT, const Tensor&>... in,
                  Each<kN, const Scalar&>... numbers) {
    if constexpr (sizeof...(numbers) == 0) {
      RunLoops(LoopsOf(call), call.dtype(), out, in...);
    } else {
      RunLoopsWith(LoopsOf(call), call.dtype(), out, {&in...}, {numbers...});
    }
  }
};

void Select(Call call, const Tensor& out, const Tensor& condition, const Tensor& self,
            const Tensor& other) {
  RunSelect(LoopsOf(call), call.dtype(), out, condition, self, other);
}

void TernaryKeepingNumber(Call call, const Tensor& out, const Tensor& a, const Tensor& b,
                          const Tensor& c) {
  if (Contains(kHalfTypes, call.dtype()) && c.is_wrapped_number()) {
    return RunLoopsInFloat(LoopsOf(call), call.dtype(), out, {&a, &b, &c});
  }
  RunLoops(LoopsOf(call), call.dtype(), out, a, b, c);
}

void BinaryKeepingNumber(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RunLoopsKeepingNumber(LoopsOf(call), call.dtype(), out, self, other);
}

template <class... A>
void SetFunction(KernelDef& def, void (*fn)(Call, A...)) {
  def.fn = reinterpret_cast<Fn>(fn);
  def.thunk = sy::internal::ThunkOf<void, A...>::Run;
  def.code = SignatureCode<void(A...)>::kText;
}

template <size_t kTensors, size_t kNumbers>
void SetKernel(KernelDef& def) {
  using T = std::make_index_sequence<kTensors>;
  SetFunction(def, KernelOf<T, std::make_index_sequence<kNumbers>>::Run);
}
template <size_t kTensors>
void SetKernel(KernelDef& def, int numbers) {
  switch (numbers) {
    case 0:
      return SetKernel<kTensors, 0>(def);
    case 1:
      return SetKernel<kTensors, 1>(def);
    case 2:
      return SetKernel<kTensors, 2>(def);
    default:
      return SetKernel<kTensors, 3>(def);
  }
}

void SetKernel(KernelDef& def, const FormulaFacts& facts) {
  if (facts.signature == Signature::kSelect) return SetFunction(def, Select);
  if (facts.last == LastNumber::kKept)
    return facts.inputs == 2 ? SetFunction(def, BinaryKeepingNumber)
                             : SetFunction(def, TernaryKeepingNumber);
  facts.inputs == 1   ? SetKernel<1>(def, facts.params)
  : facts.inputs == 2 ? SetKernel<2>(def, facts.params)
                      : SetKernel<3>(def, facts.params);
}

constinit const LoopKernel* first_kernel = nullptr;

}  // namespace

const LoopKernel* LoopKernel::First() { return first_kernel; }

LoopKernel::LoopKernel(const LoopSet& loops, const char* file, int line)
    : loops_(loops), next_(first_kernel) {
  sy::internal::KeepObjectOf(this);
  first_kernel = this;
  static_assert(sizeof(node_) >= sizeof(KernelDef) && alignof(LoopKernel) >= alignof(KernelDef));
  KernelDef& def = *new (node_) KernelDef;
  SetKernel(def, loops.formula->facts);
  def.op = loops.formula->name;
  def.op_hash = HashName(def.op);
  def.data = &loops;
  def.device = "cpu";
  def.dtypes = loops.dtypes;
  def.file = file;
  def.line = line;
  sy::internal::LinkKernel(&def);
}

}  // namespace sy::cpu
