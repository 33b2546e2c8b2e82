// Kernels: a function for an operator on a device and a set of dtypes, and the object that
// registers it.
//
//   void Gelu(Call call, const Tensor& out, const Tensor& self) { … }
//   const Kernel kernel{"gelu", "cpu", kFloatingTypes, Gelu};
//
// The function takes the call, then, for an operator with a shape rule, its outputs, then the
// operator's arguments in schema order (types: registry/signature.h). Arguments are checked and
// outputs allocated: it only computes. For an operator without a rule it returns the results
// instead. Its types are compared with the schema when the kernel is first needed.
//
// Registration links a node before main: no allocation, no parsing, nothing thrown. Two kernels for
// one key: the higher priority, then the source that sorts first; never the order of registration.
// Owns: nothing; the object must outlive the program's calls.
// Threads: kernels are called from any thread.
#ifndef SWITCHYARD_REGISTRY_KERNEL_H_
#define SWITCHYARD_REGISTRY_KERNEL_H_

#include <span>

#include "switchyard/registry/name.h"
#include "switchyard/registry/signature.h"

namespace sy {

struct KernelDef;
struct ViewedKernel;
class OperatorEntry;

// Hidden first argument of every kernel.
struct Call {
  const KernelDef* kernel;
  KeyWord key;  // of the computation: device row, index, and the dtype to compute in
  DType dtype() const { return DTypeOfKey(key); }
  inline std::string_view op()
      const;  // the name under which the kernel is registered, for messages
};

// What a kernel for boxed values gets: interpreters, fallbacks, plugins.
struct BoxedCall {
  const KernelDef* kernel;
  KeyWord key;
  std::span<const Tensor* const> outs;  // of an operator with a rule: allocated outputs
  std::span<const Value> args;          // borrowed, in schema order
  Result* results;  // of an operator without a rule: to be filled; otherwise null
};

using Fn = void (*)();  // a typed function with its type erased
using BoxedFn = void (*)(const BoxedCall&);
// Boxed view of a typed kernel of an operator without a rule.
using KernelThunk = void (*)(const KernelDef& kernel, KeyWord key, const Value* args,
                             Result* results);

// The data of a registration.
struct KernelDef {
  Fn fn = nullptr;             // null: nothing to compute (meta), or not yet derived from `boxed`
  const void* data = nullptr;  // the kernel's own
  KernelThunk thunk = nullptr;
  BoxedFn boxed = nullptr;
  const ViewedKernel* viewed = nullptr;  // beside `boxed`: takes views (registry/viewed.h)
  std::string_view op;                   // "add.Tensor"; "*": every operator with a shape rule
  uint64_t op_hash = 0;
  const char* device = nullptr;  // null: any (composites)
  DTypeMask dtypes = kAnyDType;
  const char* code =
      nullptr;  // SignatureCode of fn without the Call; null: boxed, or nothing to compute
  const char* file = nullptr;
  int line = 0;
  int priority = 0;
  const OperatorEntry* entry = nullptr;  // set by the registry where a kernel needs its operator
  KernelDef* next = nullptr;             // the registry's

  SY_API std::string source() const;  // "file:line"
};

inline std::string_view Call::op() const { return kernel->op; }

struct KernelOptions {
  const void* data = nullptr;
  int priority = 0;
};

namespace internal {

template <class R, class... A>
struct ThunkOf {
  static void Run(const KernelDef& k, KeyWord key, const Value* args, Result* results) {
    Go(k, key, args, results, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static void Go(const KernelDef& k, KeyWord key, [[maybe_unused]] const Value* args,
                 [[maybe_unused]] Result* results, std::index_sequence<I...>) {
    auto fn = reinterpret_cast<R (*)(Call, A...)>(k.fn);
    if constexpr (std::is_void_v<R>) {
      fn(Call{&k, key}, Param<A>::From(args[I])...);
    } else {
      Return<R>::Box(fn(Call{&k, key}, Param<A>::From(args[I])...), results);
    }
  }
};

SY_API void LinkKernel(KernelDef* def);

}  // namespace internal

struct NothingToCompute {};
inline constexpr NothingToCompute kNothingToCompute;

// Registers for the life of the program: a shared object with kernels stays in memory, closed or
// not; what is to be unloaded is a plugin.
class Kernel : public KernelDef {
 public:
  // device: null for any.
  template <class R, class... A>
  Kernel(OpName name, const char* on_device, DTypeMask for_dtypes, R (*function)(Call, A...),
         KernelOptions options = {}, const char* in_file = __builtin_FILE(),
         int at_line = __builtin_LINE())
      : Kernel(name, on_device, for_dtypes, options, in_file, at_line) {
    fn = reinterpret_cast<Fn>(function);
    thunk = internal::ThunkOf<R, A...>::Run;
    code = SignatureCode<R(A...)>::kText;
    internal::LinkKernel(this);
  }
  Kernel(OpName name, const char* on_device, DTypeMask for_dtypes, BoxedFn function,
         KernelOptions options = {}, const char* in_file = __builtin_FILE(),
         int at_line = __builtin_LINE())
      : Kernel(name, on_device, for_dtypes, options, in_file, at_line) {
    boxed = function;
    internal::LinkKernel(this);
  }
  // A device on which operators with a shape rule compute nothing: shapes are all there is (meta).
  Kernel(NothingToCompute, const char* on_device, const char* in_file = __builtin_FILE(),
         int at_line = __builtin_LINE())
      : Kernel(OpName("*"), on_device, kAnyDType, KernelOptions{}, in_file, at_line) {
    internal::LinkKernel(this);
  }

 private:
  Kernel(OpName name, const char* on_device, DTypeMask for_dtypes, const KernelOptions& o,
         const char* in_file, int at) {
    op = name.text;
    op_hash = name.hash;
    device = on_device;
    dtypes = for_dtypes;
    data = o.data;
    priority = o.priority;
    file = in_file;
    line = at;
  }
};

// The body of an operator written in terms of others: a kernel for every device and dtype without
// one of its own.
class Composite : public Kernel {
 public:
  template <class R, class... A>
  Composite(OpName name, R (*body)(Call, A...), const char* in_file = __builtin_FILE(),
            int at_line = __builtin_LINE())
      : Kernel(name, nullptr, kAnyDType, body, {}, in_file, at_line) {}
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_KERNEL_H_
