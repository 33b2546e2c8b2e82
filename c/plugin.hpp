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
// A kernel takes the call, its outputs, then the arguments in schema order: Tensor (undefined where
// absent), std::vector<Tensor>, int64_t, double, bool, Scalar, std::string_view, DType,
// Span<const int64_t | double | bool>, SyDevice, or Optional<T> of these. It throws Error (or
// anything else), or Declined before it has written anything; no exception crosses the ABI.
// Owns: Ref and Workspace own what they hold; all other types are views that end with the call.
// Threads: kernels are called from any thread.
#ifndef SWITCHYARD_C_PLUGIN_HPP_
#define SWITCHYARD_C_PLUGIN_HPP_

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "switchyard/c/plugin.h"

namespace sy::abi {

// --- What C++17 lacks ---

#if __cplusplus >= 202002L
template <class T>
using Span = std::span<T>;
template <class T>
using TypeTag = std::type_identity<T>;
#else
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t kN>
  constexpr Span(T (&array)[kN]) : Span(array, kN) {}  // NOLINT(google-explicit-constructor)
  template <class C, class = decltype(std::declval<C&>().data())>
  constexpr Span(C& c) : Span(c.data(), c.size()) {}  // NOLINT(google-explicit-constructor)
  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
template <class T>
struct TypeTag {
  using type = T;
};
#endif

// --- Errors ---

class Error : public std::exception {
 public:
  Error(int32_t code, std::string text) : code_(code), text_(std::move(text)) {}
  explicit Error(std::string text) : Error(SY_E_INVALID_ARGUMENT, std::move(text)) {}
  int32_t code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  int32_t code_;
  std::string text_;
};
// Thrown by a kernel that does not serve these arguments: the next candidate is tried.
struct Declined {};

inline void WriteText(SyError* error, std::string_view text) noexcept {
  if (error == nullptr || error->text == nullptr || error->capacity == 0) return;
  const size_t n = std::min<size_t>(text.size(), error->capacity - 1);
  std::memcpy(error->text, text.data(), n);
  error->text[n] = '\0';
}

// Runs f, which may throw, as a callback of the ABI.
template <class F>
int32_t Guard(SyError* error, F&& f) noexcept {
  try {
    f();
    return SY_OK;
  } catch (const Declined&) {
    return SY_DECLINED;
  } catch (const Error& e) {
    WriteText(error, e.what());
    return e.code();
  } catch (const std::bad_alloc&) {
    WriteText(error, "out of memory");
    return SY_E_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    WriteText(error, e.what());
  } catch (...) {
    WriteText(error, "an exception of unknown type");
  }
  return SY_E_INTERNAL;
}

// --- Arguments ---

// An element type, SY_FLOAT32 and so on.
struct DType {
  uint32_t code;
  friend constexpr bool operator==(DType a, DType b) { return a.code == b.code; }
  friend constexpr bool operator!=(DType a, DType b) { return a.code != b.code; }
};

namespace internal {
template <class T>
inline constexpr int kCodeOf = -1;
template <>
inline constexpr int kCodeOf<bool> = SY_BOOL;
template <>
inline constexpr int kCodeOf<uint8_t> = SY_UINT8;
template <>
inline constexpr int kCodeOf<int8_t> = SY_INT8;
template <>
inline constexpr int kCodeOf<int16_t> = SY_INT16;
template <>
inline constexpr int kCodeOf<int32_t> = SY_INT32;
template <>
inline constexpr int kCodeOf<int64_t> = SY_INT64;
template <>
inline constexpr int kCodeOf<uint16_t> = SY_UINT16;
template <>
inline constexpr int kCodeOf<uint32_t> = SY_UINT32;
template <>
inline constexpr int kCodeOf<uint64_t> = SY_UINT64;
template <>
inline constexpr int kCodeOf<float> = SY_FLOAT32;
template <>
inline constexpr int kCodeOf<double> = SY_FLOAT64;
template <>
inline constexpr int kCodeOf<std::complex<float>> = SY_COMPLEX64;
template <>
inline constexpr int kCodeOf<std::complex<double>> = SY_COMPLEX128;
}  // namespace internal

// Calls f(TypeTag<T>) for the C++ type behind a dtype, one of T...; Declined otherwise.
template <class... T, class F>
void Visit(DType dtype, F&& f) {
  const bool found =
      (false || ... ||
       (static_cast<int>(dtype.code) == internal::kCodeOf<T> ? (f(TypeTag<T>()), true) : false));
  if (!found) throw Declined();
}

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(const SyTensor* view) : view_(view) {}
  bool defined() const { return view_ != nullptr; }
  int64_t dim() const { return view_->ndim; }
  Span<const int64_t> sizes() const { return {view_->sizes, view_->ndim}; }
  Span<const int64_t> strides() const { return {view_->strides, view_->ndim}; }
  int64_t size(int64_t i) const { return view_->sizes[i]; }
  int64_t stride(int64_t i) const { return view_->strides[i]; }
  int64_t numel() const { return view_->numel; }
  DType dtype() const { return {view_->dtype}; }
  bool is_contiguous() const { return (view_->flags & SY_TENSOR_CONTIGUOUS) != 0; }
  void* data() const { return view_->data; }
  // Null where kernels of this device may not compute with addresses. Not checked: kernels know
  // what they are registered for.
  template <class T>
  T* data() const {
    return static_cast<T*>(view_->data);
  }
  const SyBuffer* buffer() const { return view_->buffer; }
  uint64_t byte_offset() const { return view_->byte_offset; }
  const SyTensor& view() const { return *view_; }

 private:
  const SyTensor* view_ = nullptr;
};

// The element at an offset, converted. Declined for other dtypes than the common ones.
template <class T>
T Load(Tensor t, int64_t at) {
  T value{};
  Visit<bool, uint8_t, int8_t, int16_t, int32_t, int64_t, float, double>(t.dtype(), [&](auto tag) {
    using E = typename decltype(tag)::type;
    value = static_cast<T>(t.data<E>()[at]);
  });
  return value;
}

// Calls f(offset of each tensor's element, …) for every element of the first one, to which the
// others are broadcast. Offsets are in elements.
template <class F, class... T>
void ForEach(F&& f, Tensor first, T... others) {
  constexpr size_t kN = 1 + sizeof...(T);
  const std::array<Tensor, kN> all = {first, others...};
  const int64_t rank = first.dim();
  int64_t strides[kN][64] = {};
  bool plain = true;
  for (size_t k = 0; k < kN; ++k) {
    plain &= all[k].is_contiguous() && all[k].numel() == first.numel();
    const int64_t missing = rank - all[k].dim();
    for (int64_t d = missing; d < rank; ++d)
      strides[k][d] = all[k].size(d - missing) == 1 ? 0 : all[k].stride(d - missing);
  }
  std::array<int64_t, kN> at = {};
  if (plain) {
    for (int64_t i = 0; i < first.numel(); ++i) {
      at.fill(i);
      std::apply(f, at);
    }
    return;
  }
  int64_t index[64] = {};
  for (int64_t left = first.numel(); left > 0; --left) {
    std::apply(f, at);
    for (int64_t d = rank - 1; d >= 0; --d) {
      const bool carry = ++index[d] == first.size(d);
      for (size_t k = 0; k < kN; ++k)
        at[k] += carry ? strides[k][d] * (1 - first.size(d)) : strides[k][d];
      if (!carry) break;
      index[d] = 0;
    }
  }
}

class Scalar {
 public:
  explicit Scalar(const SyValue& v) : v_(v) {}
  bool is_floating() const { return v_.tag == SY_V_DOUBLE; }
  // The real part.
  template <class T>
  T To() const {
    if (v_.tag == SY_V_DOUBLE) return static_cast<T>(v_.u.d);
    if (v_.tag == SY_V_COMPLEX) return static_cast<T>(static_cast<const double*>(v_.u.list)[0]);
    if (v_.tag == SY_V_UINT) return static_cast<T>(static_cast<uint64_t>(v_.u.i));
    return static_cast<T>(v_.u.i);
  }
  const SyValue& value() const { return v_; }

 private:
  SyValue v_;
};

template <class T>
using Optional = std::optional<T>;

namespace internal {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T>
struct From;
template <>
struct From<Tensor> {
  static Tensor Value(const SyValue& v) {
    return Tensor(v.tag == SY_V_TENSOR ? v.u.tensor : nullptr);
  }
};
template <>
struct From<std::vector<Tensor>> {
  static std::vector<Tensor> Value(const SyValue& v) {
    const auto* list = static_cast<const SyTensor* const*>(v.u.list);
    return std::vector<Tensor>(list, list + v.length);
  }
};
template <>
struct From<int64_t> {
  static int64_t Value(const SyValue& v) { return v.u.i; }
};
template <>
struct From<bool> {
  static bool Value(const SyValue& v) { return v.u.i != 0; }
};
template <>
struct From<double> {
  static double Value(const SyValue& v) { return Scalar(v).To<double>(); }
};
template <>
struct From<Scalar> {
  static Scalar Value(const SyValue& v) { return Scalar(v); }
};
template <>
struct From<std::string_view> {
  static std::string_view Value(const SyValue& v) { return {v.u.text, v.length}; }
};
template <>
struct From<DType> {
  static DType Value(const SyValue& v) { return {static_cast<uint32_t>(v.u.i)}; }
};
template <>
struct From<SyDevice> {
  static SyDevice Value(const SyValue& v) { return v.u.device; }
};
template <class T>
struct From<Span<const T>> {
  static Span<const T> Value(const SyValue& v) {
    return {static_cast<const T*>(v.u.list), v.length};
  }
};
template <class T>
struct From<std::optional<T>> {
  static std::optional<T> Value(const SyValue& v) {
    if (v.tag == SY_V_NONE) return std::nullopt;
    return From<T>::Value(v);
  }
};

}  // namespace internal

// --- Calls ---

// A tensor of the host that is held.
class Ref {
 public:
  Ref(const SyHost* host, SyTensorRef owned) : host_(host), ref_(owned) {}
  Ref(Ref&& o) noexcept : host_(o.host_), ref_(std::exchange(o.ref_, nullptr)) {}
  Ref& operator=(Ref&& o) noexcept {
    std::swap(host_, o.host_);
    std::swap(ref_, o.ref_);
    return *this;
  }
  ~Ref() {
    if (ref_ != nullptr) host_->release(ref_);
  }
  SyTensorRef get() const { return ref_; }
  SyTensorRef release() { return std::exchange(ref_, nullptr); }

 private:
  const SyHost* host_;
  SyTensorRef ref_;
};

class Call {
 public:
  explicit Call(SyCall* c) : c_(c) {}
  DType dtype() const { return {c_->dtype}; }
  int index() const { return c_->index; }
  // What the device's `open` gave.
  template <class T>
  T& device() const {
    return *static_cast<T*>(c_->device_state);
  }
  void* stream() const { return c_->stream; }
  template <class T>
  const T& user() const {
    return *static_cast<const T*>(c_->user);
  }
  SyCall* abi() const { return c_; }

  // Memory until the kernel returns and what it has queued is done.
  const SyBuffer& Workspace(uint64_t bytes, uint64_t alignment = 64) const {
    const SyBuffer* b = nullptr;
    Check(c_->host->workspace(c_, bytes, alignment, &b));
    return *b;
  }
  Ref Empty(Span<const int64_t> sizes, DType dtype) const {
    SyTensorRef ref = nullptr;
    Check(c_->host->empty(c_, dtype.code, static_cast<uint32_t>(sizes.size()), sizes.data(), &ref));
    return Ref(c_->host, ref);
  }
  // The view of a held tensor.
  SyTensor View(const Ref& ref) const {
    SyTensor t;
    Check(c_->host->view(c_, ref.get(), &t));
    return t;
  }
  void SetOut(uint32_t i, Ref ref) const { Check(c_->host->set_out(c_, i, ref.release())); }
  // Another operator, with one result: all arguments in schema order, as SyValues.
  Ref Run(const char* op, Span<const SyValue> in) const {
    SyOperator found = nullptr;
    Check(c_->host->find_operator(op, &found, c_->error));
    SyTensorRef out = nullptr;
    Check(c_->host->call_operator(c_, found, in.data(), static_cast<uint32_t>(in.size()), &out, 1));
    return Ref(c_->host, out);
  }
  template <class F>  // f(begin, end), noexcept
  void ParallelFor(int64_t n, int64_t grain, F&& f) const {
    static_assert(noexcept(f(int64_t{}, int64_t{})));
    c_->host->parallel_for(
        n, grain,
        [](int64_t begin, int64_t end, void* context) noexcept {
          (*static_cast<std::remove_reference_t<F>*>(context))(begin, end);
        },
        &f);
  }

 private:
  // The host has written the text to where the kernel's goes.
  void Check(int32_t code) const {
    if (code != SY_OK) throw Error(code, c_->error->text);
  }
  SyCall* c_;
};

inline SyValue Boxed(const SyTensor& t) {
  SyValue v{SY_V_TENSOR, 0, {}};
  v.u.tensor = &t;
  return v;
}
inline SyValue Boxed(int64_t i) { return {SY_V_INT, 0, {i}}; }
inline SyValue Boxed(double d) {
  SyValue v{SY_V_DOUBLE, 0, {}};
  v.u.d = d;
  return v;
}

// --- Registration ---

namespace internal {

template <auto kFn, int kOuts, class Seq>
struct KernelOf;
template <class... A, void (*kFn)(Call, A...), int kOuts, size_t... I>
struct KernelOf<kFn, kOuts, std::index_sequence<I...>> {
  template <class T, size_t K>
  static T Argument(const SyCall* c) {
    if constexpr (K < kOuts) {
      return Tensor(c->out[K]);
    } else {
      return From<T>::Value(c->in[K - kOuts]);
    }
  }
  static int32_t Run(SyCall* c) noexcept {
    return Guard(c->error, [c] { kFn(Call(c), Argument<internal::Plain<A>, I>(c)...); });
  }
};
template <class... A>
std::index_sequence_for<A...> IndicesOf(void (*)(Call, A...));

}  // namespace internal

// What a shape rule states: sizes and dtype of each output.
class Outputs {
 public:
  Outputs(SyMeta* out, uint32_t n) : out_(out), n_(n) {}
  void Add(Span<const int64_t> sizes, DType dtype) {
    if (used_ == n_ || sizes.size() > 64) throw Error(SY_E_INTERNAL, "no such output");
    SyMeta& m = out_[used_++];
    std::copy(sizes.begin(), sizes.end(), m.sizes);
    m.ndim = static_cast<uint32_t>(sizes.size());
    m.dtype = dtype.code;
  }

 private:
  SyMeta* out_;
  uint32_t n_, used_ = 0;
};

namespace internal {

template <auto kFn, class Seq>
struct ShapeOf;
template <class... A, void (*kFn)(Outputs&, A...), size_t... I>
struct ShapeOf<kFn, std::index_sequence<I...>> {
  static int32_t Run(const SyValue* in, uint32_t, SyMeta* out, uint32_t n, void*,
                     SyError* error) noexcept {
    return Guard(error, [&] {
      Outputs outputs(out, n);
      kFn(outputs, From<internal::Plain<A>>::Value(in[I])...);
    });
  }
};
template <class... A>
std::index_sequence_for<A...> ShapeIndicesOf(void (*)(Outputs&, A...));
}  // namespace internal

// A kernel for a function: Kernel<Add>("add.Tensor", "toy", SY_BIT(SY_FLOAT32)). kOuts: outputs
// that the function takes; 0 where the kernel gives them with Call::SetOut.
template <auto kFn, int kOuts = 1>
constexpr SyKernelDef Kernel(const char* op, const char* device, uint64_t dtypes = SY_ANY_DTYPE,
                             uint32_t flags = 0, const char* file = __builtin_FILE(),
                             int32_t line = __builtin_LINE()) {
  using Indices = decltype(internal::IndicesOf(kFn));
  return {sizeof(SyKernelDef),
          flags,
          op,
          device,
          dtypes,
          &internal::KernelOf<kFn, kOuts, Indices>::Run,
          nullptr,
          file,
          line,
          0};
}

// An operator with a shape rule: Operator<ScaleShape>("toy::scale(Tensor x, float by) -> Tensor").
template <auto kFn>
constexpr SyOperatorDef Operator(const char* schema, uint32_t forms = 0,
                                 const char* file = __builtin_FILE(),
                                 int32_t line = __builtin_LINE()) {
  using Indices = decltype(internal::ShapeIndicesOf(kFn));
  return {sizeof(SyOperatorDef),
          forms,
          schema,
          &internal::ShapeOf<kFn, Indices>::Run,
          nullptr,
          file,
          line,
          0};
}

constexpr SyDeviceDef DeviceOf(const char* name, const SyDeviceFunctions& functions) {
  return {sizeof(SyDeviceDef), 0, name, &functions, nullptr};
}

// Arrays that live as long as the object; Span<T>() where there are none.
constexpr SyPlugin MakePlugin(const char* name, const char* version,
                              Span<const SyDeviceDef> devices, Span<const SyOperatorDef> operators,
                              Span<const SyKernelDef> kernels) {
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
