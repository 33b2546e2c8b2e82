#include "switchyard/backends/cpu/engine/loop_kernel.h"

#include <new>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

const LoopSet& LoopsOf(const Call& call) { return *static_cast<const LoopSet*>(call.kernel->data); }

void Unary(Call call, const Tensor& out, const Tensor& self) {
  RunLoops(LoopsOf(call), call.dtype(), out, self);
}

void Binary(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RunLoops(LoopsOf(call), call.dtype(), out, self, other);
}

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

}  // namespace

namespace {
constinit const NamedLoops* first_loops = nullptr;
}

NamedLoops::NamedLoops(const char* name, const LoopSet& set)
    : name_(name), set_(set), next_(first_loops) {
  first_loops = this;
}
const NamedLoops* NamedLoops::First() { return first_loops; }

LoopKernel::LoopKernel(const char* op, KernelKind kind, const LoopSet& loops, const char* file,
                       int line) {
  static_assert(sizeof(node_) >= sizeof(KernelDef) && alignof(LoopKernel) >= alignof(KernelDef));
  KernelDef& def = *new (node_) KernelDef;
  switch (kind) {
    case kUnaryKernel:
      SetFunction(def, Unary);
      break;
    case kBinaryKernel:
      SetFunction(def, Binary);
      break;
    case kBinaryKeepingNumber:
      SetFunction(def, BinaryKeepingNumber);
      break;
    case kTernaryKeepingNumber:
      SetFunction(def, TernaryKeepingNumber);
      break;
    case kSelectKernel:
      SetFunction(def, Select);
      break;
  }
  def.op = op;
  def.op_hash = HashName(def.op);
  def.data = &loops;
  def.device = "cpu";
  def.dtypes = loops.dtypes;
  def.file = file;
  def.line = line;
  sy::internal::LinkKernel(&def);
}

}  // namespace sy::cpu
