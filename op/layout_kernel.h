// Kernels for tensors of other layouts: what serves an operator whose arguments are sparse or
// quantised, and the object that registers it.
//
//   Tensor AbsSparse(Call call, const Tensor& self) { … }
//   const LayoutKernel kernel{"abs", kCoo | kCompressed, AbsSparse};
//
// Such a kernel takes the operator's arguments as they were given and returns its results: shape
// functions state strided outputs, and are not asked. What it calls may be sparse again. It is
// found by the operator's full name, the layouts among the call's tensors, all of which it must
// name, and the device. A kernel for a device goes before one for any; there is one for a name,
// layouts and device. One for a device may give an undefined tensor as its first result: the call
// is then left to what serves every device.
//
// In-place and out= variants need none of their own: the functional operator's result becomes what
// the written tensor holds. Strided arguments beside those of other layouts are the kernel's
// business.
//
// An operator whose own composite knows of layouts says so:
//
//   const LayoutBody body{"to_dense", kCoo | kCompressed};
//
// A call for which there is neither is an error that names operator, argument and layout.
// Registration links a node before main: no allocation, nothing thrown. ATen's twins are
// TORCH_LIBRARY_IMPL's of SparseCPU, SparseCsrCPU and QuantizedCPU.
// Owns: nothing; the object must outlive the program's calls.
// Threads: kernels are called from any thread, at the same time.
// Errors: a kernel throws Errors; types that are not the operator's are kRegistration at the first
// call of it with such a tensor.
#ifndef SWITCHYARD_OP_LAYOUT_KERNEL_H_
#define SWITCHYARD_OP_LAYOUT_KERNEL_H_

#include <cstdint>
#include <span>

#include "switchyard/core/memory_format.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/signature.h"

namespace sy {

// A set of layouts, one bit each, and of quantised tensors.
using LayoutMask = uint32_t;
constexpr LayoutMask Bit(Layout l) { return LayoutMask{1} << static_cast<int>(l); }
inline constexpr LayoutMask kCoo = Bit(Layout::kSparse);
inline constexpr LayoutMask kCsr = Bit(Layout::kSparseCsr);
inline constexpr LayoutMask kCsc = Bit(Layout::kSparseCsc);
inline constexpr LayoutMask kBlocks = Bit(Layout::kSparseBsr) | Bit(Layout::kSparseBsc);
inline constexpr LayoutMask kCompressed = kCsr | kCsc | kBlocks;
inline constexpr LayoutMask kAnySparse = kCoo | kCompressed;
inline constexpr LayoutMask kQuantized = LayoutMask{1} << 31;

// A function for boxed values, of whatever operator: args of the schema's types, room for results.
using LayoutFn = void (*)(const OperatorEntry& op, std::span<const Value> args,
                          std::span<Result> results);

// The data of a registration: of KernelDef op, device, fn, thunk, code and the source.
struct LayoutKernelDef : KernelDef {
  LayoutMask layouts = 0;
  LayoutFn values = nullptr;                     // takes values in place of types
  const LayoutKernelDef* next_linked = nullptr;  // the list's
};

namespace internal {
SY_API void LinkLayoutKernel(LayoutKernelDef* def);
// The last one linked; the others by next_linked.
SY_API const LayoutKernelDef* LinkedLayoutKernels();
}  // namespace internal

// Registers for the life of the program, as Kernel does.
class LayoutKernel : public LayoutKernelDef {
 public:
  // name: in full, "add.Tensor". on_device: null for any.
  template <class R, class... A>
  LayoutKernel(OpName name, LayoutMask of_layouts, R (*function)(Call, A...),
               const char* on_device = nullptr, const char* in_file = __builtin_FILE(),
               int at_line = __builtin_LINE())
      : LayoutKernel(name, of_layouts, on_device, in_file, at_line) {
    fn = reinterpret_cast<Fn>(function);
    thunk = internal::ThunkOf<R, A...>::Run;
    code = SignatureCode<R(A...)>::kText;
    internal::LinkLayoutKernel(this);
  }
  LayoutKernel(OpName name, LayoutMask of_layouts, LayoutFn function,
               const char* on_device = nullptr, const char* in_file = __builtin_FILE(),
               int at_line = __builtin_LINE())
      : LayoutKernel(name, of_layouts, on_device, in_file, at_line) {
    values = function;
    internal::LinkLayoutKernel(this);
  }

 protected:
  LayoutKernel(OpName name, LayoutMask of_layouts, const char* on_device, const char* in_file,
               int at_line) {
    op = name.text;
    op_hash = name.hash;
    device = on_device;
    layouts = of_layouts;
    file = in_file;
    line = at_line;
  }
};

// The operator's own body, or shape function, serves these layouts too.
class LayoutBody : public LayoutKernel {
 public:
  LayoutBody(OpName name, LayoutMask of_layouts, const char* in_file = __builtin_FILE(),
             int at_line = __builtin_LINE())
      : LayoutKernel(name, of_layouts, nullptr, in_file, at_line) {
    internal::LinkLayoutKernel(this);
  }
};

}  // namespace sy

#endif  // SWITCHYARD_OP_LAYOUT_KERNEL_H_
