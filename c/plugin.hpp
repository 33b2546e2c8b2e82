// A thin C++ wrapper over switchyard/c/plugin.h, for plugins, in C++17 or later. It includes that
// header and the standard library alone, and needs no library of ours.
//
//   using namespace sy::abi;
//   void Scale(Call, Tensor out, Tensor x, double by) {
//     for (int64_t i = 0; i < out.numel(); ++i) out.data<float>()[i] = x.data<float>()[i] * by;
//   }
//   constexpr SyKernelDef kernels[] = {Kernel<Scale>("toy::scale", "toy", SY_BIT(SY_FLOAT32))};
//   constexpr SyPlugin plugin = MakePlugin("toy", "1.0", kDevices, kOperators, kernels);
//   SY_PLUGIN(plugin, "toy")
//
// A kernel takes the call, its outputs, then the arguments in schema order:
//
//   Tensor, Tensor?      Tensor, undefined where absent
//   Tensor[], Tensor?[]  std::vector<Tensor>, which takes memory
//   int, SymInt          int64_t
//   int[], SymInt[]      Span<const int64_t>
//   float                double
//   float[]              Span<const double>
//   bool, bool[]         bool, Span<const bool>
//   Scalar               Scalar
//   str                  std::string_view
//   ScalarType           DType
//   Device               SyDevice
//   T?                   Optional<T> of any of these but Tensor
//   anything             const SyValue&, as the C header has it: generators, lists of numbers
//
// What a function takes is compared with the schema when the plugin is loaded.
//
// It throws Error (or anything else), or Declined before it has written anything; no exception
// crosses the ABI.
//
// Owns: Ref and Workspace own what they hold; all other types are views that end with the call.
// Threads: kernels are called from any thread, and so are shape functions.
// Errors: thrown ones become SY_E_* and a text for the host, by Guard.
#ifndef SWITCHYARD_C_PLUGIN_HPP_
#define SWITCHYARD_C_PLUGIN_HPP_

#include <cstring>

#include "switchyard/c/call.hpp"
#include "switchyard/c/layer.hpp"
#include "switchyard/c/rule.hpp"

namespace sy::abi {

namespace internal {

// The SyKernelFn of a function. kOuts: its first parameters are call->out, the rest call->in.
template <auto kFn, int kOuts, class Seq>
struct KernelOf;
// One function for each kernel, made by the compiler; nothing is looked up in a call.
template <class... A, void (*kFn)(Call, A...), int kOuts, size_t... I>
struct KernelOf<kFn, kOuts, std::index_sequence<I...>> {
  // Parameter K behind the Call: an output, or an argument.
  template <class T, size_t K>
  static decltype(auto) Argument(const SyCall* c) {
    if constexpr (K < kOuts) {
      return Tensor(c->out[K]);
    } else {
      return From<T>::Value(c->in[K - kOuts]);
    }
  }
  using Signature = SignatureOf<kOuts, A...>;
  // What the host calls.
  static int32_t Run(SyCall* c) noexcept {
    return Guard(c->error, [c] { kFn(Call(c), Argument<internal::Plain<A>, I>(c)...); });
  }
};
// For its type alone.
template <class... A>
std::index_sequence_for<A...> IndicesOf(void (*)(Call, A...));

}  // namespace internal

// A kernel for a function: Kernel<Add>("add.Tensor", "toy", SY_BIT(SY_FLOAT32)). kOuts: outputs
// that the function takes; 0 where the kernel gives them with Call::SetOut. op: the base variant,
// which in-place and out= variants share; device: null for any; flags: SY_KERNEL_*. Priority 0.
template <auto kFn, int kOuts = 1>
constexpr SyKernelDef Kernel(const char* op, const char* device, uint64_t dtypes = SY_ANY_DTYPE,
                             uint32_t flags = 0, const char* file = __builtin_FILE(),
                             int32_t line = __builtin_LINE()) {
  using Made = internal::KernelOf<kFn, kOuts, decltype(internal::IndicesOf(kFn))>;
  return {
      sizeof(SyKernelDef),          flags, op, device, dtypes, &Made::Run, nullptr, file, line, 0,
      Made::Signature::kText.data()};
}

// An operator with a shape function: Operator<ScaleShape>("toy::scale(Tensor x, float by) ->
// Tensor").
// variants: SY_OPERATOR_*, beside the functional one.
template <auto kFn>
constexpr SyOperatorDef Operator(const char* schema, uint32_t variants = 0,
                                 const char* file = __builtin_FILE(),
                                 int32_t line = __builtin_LINE()) {
  using Indices = decltype(internal::ShapeIndicesOf(kFn));
  return {sizeof(SyOperatorDef),
          variants,
          schema,
          &internal::ShapeOf<kFn, Indices>::Run,
          nullptr,
          file,
          line,
          0,
          nullptr,
          nullptr};
}

// An operator whose kernels give the outputs, by Call::SetOut.
constexpr SyOperatorDef Operator(const char* schema, uint32_t variants = 0,
                                 const char* file = __builtin_FILE(),
                                 int32_t line = __builtin_LINE()) {
  return {
      sizeof(SyOperatorDef), variants, schema, nullptr, nullptr, file, line, 0, nullptr, nullptr};
}

// An operator with a rule, which states all that in-tree operators can: RuleOperator<ScaleRule>(
// "toy::scale(Tensor x, float by) -> Tensor", SY_OPERATOR_IN_PLACE).
template <auto kFn>
constexpr SyOperatorDef RuleOperator(const char* schema, uint32_t variants = 0,
                                     const char* file = __builtin_FILE(),
                                     int32_t line = __builtin_LINE()) {
  using Indices = decltype(internal::RuleIndicesOf(kFn));
  return {sizeof(SyOperatorDef),
          variants,
          schema,
          nullptr,
          nullptr,
          file,
          line,
          0,
          &internal::RuleOf<kFn, Indices>::Run,
          nullptr};
}

// An operator that is another one with numbers where that takes tensors:
// NumbersOperator("toy::scale.Scalar(Tensor x, Scalar by) -> Tensor", "toy::scale").
constexpr SyOperatorDef NumbersOperator(const char* schema, const char* numbers_for,
                                        uint32_t variants = 0, const char* file = __builtin_FILE(),
                                        int32_t line = __builtin_LINE()) {
  return {sizeof(SyOperatorDef),
          variants,
          schema,
          nullptr,
          nullptr,
          file,
          line,
          0,
          nullptr,
          numbers_for};
}

// functions: static data, whose callbacks are noexcept.
// A device type from its table of callbacks, each a noexcept function that Guard wraps:
//   int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
//                    SyError* error) noexcept {
//     return Guard(error, [&] {
//       out->handle = std::aligned_alloc(alignment, RoundedUp(bytes, alignment));
//       if (out->handle == nullptr) throw std::bad_alloc();
//       out->bytes = bytes;
//     });
//   }
//   constexpr SyDeviceFunctions functions = {sizeof(SyDeviceFunctions), 0, …};
//   constexpr SyDeviceDef kDevices[] = {DeviceOf("toy", functions)};
constexpr SyDeviceDef DeviceOf(const char* name, const SyDeviceFunctions& functions) {
  return {sizeof(SyDeviceDef), 0, name, &functions, nullptr};
}

// A call that a packing serves itself: Served("mm", 1 << 1, "toy::mm_blocked"), of matrices on the
// right.
constexpr SyPackedCall Served(const char* op, uint64_t packed, const char* by) {
  return {sizeof(SyPackedCall), 0, op, by, packed, 0, 0};
}
// The same where what `by` gives are the parts of a result that stays packed: ServedPacked("relu", 1,
// "toy::relu_blocked").
constexpr SyPackedCall ServedPacked(const char* op, uint64_t packed, const char* by) {
  return {sizeof(SyPackedCall), 0, op, by, packed, 1, 0};
}
// Tensors held as other tensors: Packing("toy::blocked", "toy::block", "toy::unblock", kCalls).
// pack, unpack: operators. calls: live as long as the object.
constexpr SyPackingDef Packing(const char* name, const char* pack, const char* unpack,
                               Span<const SyPackedCall> calls = {}) {
  return {sizeof(SyPackingDef),
          static_cast<uint32_t>(calls.size()),
          name,
          pack,
          unpack,
          calls.data(),
          sizeof(SyPackedCall),
          0};
}

// The gradient of `op` is computed by `by` (c/plugin.h says how their arguments meet).
//
//   constexpr SyGradientDef kGradients[] = {Gradient("toy::scale", "toy::scale_backward")};
constexpr SyGradientDef Gradient(const char* op, const char* by) {
  return {sizeof(SyGradientDef), 0, op, by};
}

// Arrays that live as long as the object; Span<T>() where there are none. name: as in the note.
// init, committed and shutdown stay null, requires_minor 0: set them where they are needed. packings
// are of version 1.4, layers of 1.5, gradients of 1.6: older hosts do not see them.
constexpr SyPlugin MakePlugin(const char* name, const char* version,
                              Span<const SyDeviceDef> devices, Span<const SyOperatorDef> operators,
                              Span<const SyKernelDef> kernels,
                              Span<const SyPackingDef> packings = {},
                              Span<const SyLayerDef> layers = {},
                              Span<const SyGradientDef> gradients = {}) {
  SyPlugin p{};
  p.size = sizeof(SyPlugin);
  p.name = name;
  p.version = version;
  p.devices = devices.data();
  p.operators = operators.data();
  p.kernels = kernels.data();
  p.n_devices = static_cast<uint32_t>(devices.size());
  p.device_stride = sizeof(SyDeviceDef);
  p.n_operators = static_cast<uint32_t>(operators.size());
  p.operator_stride = sizeof(SyOperatorDef);
  p.n_kernels = static_cast<uint32_t>(kernels.size());
  p.kernel_stride = sizeof(SyKernelDef);
  p.packings = packings.data();
  p.n_packings = static_cast<uint32_t>(packings.size());
  p.packing_stride = sizeof(SyPackingDef);
  p.layers = layers.data();
  p.n_layers = static_cast<uint32_t>(layers.size());
  p.layer_stride = sizeof(SyLayerDef);
  p.gradients = gradients.data();
  p.n_gradients = static_cast<uint32_t>(gradients.size());
  p.gradient_stride = sizeof(SyGradientDef);
  return p;
}

}  // namespace sy::abi

// The one exported symbol and the note, for an object that is linked with -fno-gnu-unique and keeps
// no threads. Once per object, outside namespaces.
#define SY_PLUGIN(table, plugin_name)                                                 \
  SY_PLUGIN_NOTE(plugin_name, SY_NOTE_UNMAP_OK);                                      \
  extern "C" SY_EXPORT const SyPlugin* SY_PLUGIN_ENTRY(uint32_t, SyError*) noexcept { \
    return &(table);                                                                  \
  }

#endif  // SWITCHYARD_C_PLUGIN_HPP_
