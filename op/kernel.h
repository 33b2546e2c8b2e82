// Kernels: a function for an operator on a device and a set of dtypes, and the object that
// registers it.
//
//   void Gelu(Call call, const Tensor& out, const Tensor& self) { … }
//   const Kernel kernel{"gelu", "cpu", kFloatingTypes, Gelu};
//
// The function takes the call, then, for an operator with a shape function, its outputs, then the
// operator's arguments in schema order (types: op/signature.h). Arguments are checked and outputs
// allocated: it only computes. For an operator without a shape function it returns the results
// instead. Its types are compared with the schema when the kernel is first needed.
//
// What a kernel can rely on: tensors that are not optional are defined; they lie on its device, but
// for 0-dim host tensors of pointwise operators and where the shape function says otherwise;
// outputs have the sizes that the shape function states and overlap no input, but may be an input
// itself where the operator is pointwise. Their dtype is the shape function's; that of a pointwise
// operator's output may be any that the result may be stored as, and the kernel converts as it
// stores. Outputs of out= and in place may have gaps. Tensors may be empty.
//
// Registration links a node before main: no allocation, no parsing, nothing thrown. Two kernels for
// one key: the higher priority, then the source that sorts first; never the order of registration.
// A key is served by the first of: a kernel of the operator on the device for the dtype, one for
// any dtype, a device's for everything, a composite, one by tag, and last the fallback, if it is
// allowed.
//
// A kernel of an operator without a shape function, and one for boxed values:
//
//   Tensor Stack(Call call, TensorList tensors, int64_t dim) { … }
//   void Any(const BoxedCall& call) { for (const Value& v : call.args) … }
// Owns: nothing; the object must outlive the program's calls.
// Threads: kernels are called from any thread, at the same time.
// Errors: a kernel throws Errors; who called gets them with the operator's name in front.
#ifndef SWITCHYARD_OP_KERNEL_H_
#define SWITCHYARD_OP_KERNEL_H_

#include <type_traits>
#include <utility>

#include "switchyard/op/signature.h"
#include "switchyard/registry/kernel_def.h"

namespace sy {

// data: whatever the kernel wants to find again in Call::kernel->data. priority: between kernels
// for one key the higher one.
struct KernelOptions {
  const void* data = nullptr;
  int priority = 0;
};

namespace internal {

// Calls a typed kernel of an operator without a shape function with boxed arguments, and boxes its
// results.
template <class R, class... A>
struct ThunkOf {
  // args fit the operator's types, and those are the kernel's.
  static void Run(const KernelDef& k, KeyWord key, const Value* args, Result* results) {
    Go(k, key, args, results, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static void Go(const KernelDef& k, KeyWord key, [[maybe_unused]] const Value* args,
                 [[maybe_unused]] Result* results, std::index_sequence<I...>) {
    auto fn = reinterpret_cast<R (*)(sy::Call, A...)>(k.fn);
    if constexpr (std::is_void_v<R>) {
      fn(sy::Call{&k, key}, Param<A>::From(args[I])...);
    } else {
      Return<R>::Box(fn(sy::Call{&k, key}, Param<A>::From(args[I])...), results);
    }
  }
};

}  // namespace internal

struct NothingToCompute {};
inline constexpr NothingToCompute kNothingToCompute;

// Registers for the life of the program: a shared object with kernels stays in memory, closed or
// not; what is to be unloaded is a plugin. Never throws; what is wrong with it is said when the
// kernel is first needed, and by Registry::Problems. ATen's twin is TORCH_LIBRARY_IMPL's m.impl.
class Kernel : public KernelDef {
 public:
  // name: the operator's base variant, "add.Tensor", which its in-place and out= variants share.
  // on_device: null for any. for_dtypes: of the computation (Call::dtype), not of each argument.
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
  // A function for boxed values, of whatever operator.
  Kernel(OpName name, const char* on_device, DTypeMask for_dtypes, BoxedFn function,
         KernelOptions options = {}, const char* in_file = __builtin_FILE(),
         int at_line = __builtin_LINE())
      : Kernel(name, on_device, for_dtypes, options, in_file, at_line) {
    boxed = function;
    internal::LinkKernel(this);
  }
  // A device on which operators with a shape function compute nothing: shapes are all there is
  // (meta). What such operators write keeps its memory as it is.
  Kernel(NothingToCompute, const char* on_device, const char* in_file = __builtin_FILE(),
         int at_line = __builtin_LINE())
      : Kernel(OpName("*"), on_device, kAnyDType, KernelOptions{}, in_file, at_line) {
    internal::LinkKernel(this);
  }
  // Of every operator that has one of the tags, where nothing else serves it on the device: the
  // last choice, behind composites.
  Kernel(OperatorTags of, const char* on_device, BoxedFn function,
         const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : Kernel(OpName("*"), on_device, kAnyDType, KernelOptions{}, in_file, at_line) {
    tags = of;
    boxed = function;
    internal::LinkKernel(this);
  }

 private:
  // Fills in what all have in common.
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
// one of its own. ATen calls such CompositeExplicitAutograd.
class Composite : public Kernel {
 public:
  template <class R, class... A>
  Composite(OpName name, R (*body)(Call, A...), const char* in_file = __builtin_FILE(),
            int at_line = __builtin_LINE())
      : Kernel(name, nullptr, kAnyDType, body, {}, in_file, at_line) {}
};

}  // namespace sy

#endif  // SWITCHYARD_OP_KERNEL_H_
