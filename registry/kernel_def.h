// What a kernel's registration is, as data: whoever makes one without op/kernel.h's Kernel
// (plugins, tests) fills it in and adds it to a registry.
//
//   KernelDef k;  k.op = "add.Tensor";  k.op_hash = HashName(k.op);  k.device = "toy";
//   k.boxed = Run;  registry.Add(k);  …  registry.Remove(k);
//
// Owns: nothing; the registry links the object itself, which must live until it is removed.
// Threads: constant once it is added.
// Errors: none here; what does not fit is found when it is first needed (Registry::Problems).
#ifndef SWITCHYARD_REGISTRY_KERNEL_DEF_H_
#define SWITCHYARD_REGISTRY_KERNEL_DEF_H_

#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/name.h"
#include "switchyard/registry/tags.h"

namespace sy {

struct KernelDef;
struct ViewedKernel;
class OperatorEntry;

// Hidden first argument of every kernel. ATen passes a DispatchKeySet in that place.
struct Call {
  const KernelDef* kernel;
  KeyWord key;  // of the computation: device row, index, and the dtype to compute in
  // To compute in: one of those that the kernel is registered for.
  DType dtype() const { return DTypeOfKey(key); }
  inline std::string_view op()
      const;  // the name under which the kernel is registered, for messages
};

// What a kernel for boxed values gets: interpreters, fallbacks, plugins. All of it is borrowed
// until it returns.
struct BoxedCall {
  const KernelDef* kernel;
  KeyWord key;
  std::span<const Tensor* const> outs;  // of an operator with a shape function: allocated outputs
  std::span<const Value> args;          // borrowed, in schema order
  Result* results;  // of an operator without a shape function: to be filled; otherwise null
};

using Fn = void (*)();  // a typed function with its type erased
using BoxedFn = void (*)(const BoxedCall&);
// Boxed view of a typed kernel of an operator without a shape function.
using KernelThunk = void (*)(const KernelDef& kernel, KeyWord key, const Value* args,
                             Result* results);

// The data of a registration. fn or boxed does the work; without either there is none to do.
struct KernelDef {
  Fn fn = nullptr;             // null: nothing to compute (meta), or not yet derived from `boxed`
  const void* data = nullptr;  // the kernel's own
  KernelThunk thunk = nullptr;
  BoxedFn boxed = nullptr;               // takes values in place of types
  const ViewedKernel* viewed = nullptr;  // beside `boxed`: takes views (op/viewed.h)
  // "add.Tensor"; "formula sy::f::Sin": every operator that names it; "*": every one with a shape
  // function, or, where tags are given, with one of these.
  std::string_view op;
  OperatorTags tags = {};
  uint64_t op_hash = 0;          // HashName(op)
  const char* device = nullptr;  // null: any (composites)
  DTypeMask dtypes = kAnyDType;  // of the computation
  const char* code =
      nullptr;  // SignatureCode of fn without the Call; null: boxed, or nothing to compute
  const char* file = nullptr;
  int line = 0;
  int priority = 0;                      // between kernels for one key the higher one
  const OperatorEntry* entry = nullptr;  // set by the registry where a kernel needs its operator
  KernelDef* next = nullptr;             // the registry's

  SY_API std::string source() const;  // "file:line"
};

inline std::string_view Call::op() const { return kernel->op; }

namespace internal {
// Adds to the global registry, before main: no allocation, nothing thrown.
SY_API void LinkKernel(KernelDef* def);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_KERNEL_DEF_H_
