// Boxed values: one argument or result of any schema type, in 16 bytes.
//
//   Value args[] = {a, b, Scalar(2)};     // borrowed: nothing is counted or copied
//   Result out;                           // owned: a tensor in it is released with it
//   Tensor t = out.TakeTensor();
//
// A Value points at its tensor, list or text, which must outlive it; numbers but complex ones,
// dtypes, devices and the like lie in it. A Result owns what it holds. What ATen calls an IValue is
// either, depending on who owns.
// Owns: see above.
// Threads: as the data they point to.
// Errors: a Value checks nothing; a Result's accessors throw kInvalidArgument.
#ifndef SWITCHYARD_CORE_VALUE_H_
#define SWITCHYARD_CORE_VALUE_H_

#include <complex>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

class Generator;

// What a Value is. The number is part of overload signatures (dispatcher/call.h: 5 bits).
enum class Tag : uint32_t {
  kNone,     // an absent optional
  kBool,     // in `i`: 0 or 1
  kInt,      // in `i`, as dtypes, layouts and formats
  kUInt,     // a number past int64
  kDouble,   // in `d`
  kComplex,  // list → double[2]
  kString,   // bytes at `p`, `len` of them, no 0 at the end
  kTensor,
  kIntList,  // of int64_t; `len` counts elements, here and below
  kDoubleList,
  kBoolList,
  kTensorList,  // some of which may be undefined
  kScalarList,
  kDType,
  kDevice,  // in `device`
  kLayout,
  kMemoryFormat,
  kGenerator,  // at `p`
};
inline constexpr int kNumTags = 18;
// Sets of tags: what an argument of a schema takes as it is.
using TagMask = uint32_t;
constexpr TagMask Bit(Tag t) { return TagMask{1} << static_cast<int>(t); }
// As schemas spell it: "int", "Tensor[]", "float"; "None" for kNone.
SY_API std::string_view Name(Tag t);

// Trivially copyable. An undefined tensor, an empty optional and a null generator are all None, so
// that a tag says whether there is something.
struct Value {
  Tag tag = Tag::kNone;
  uint32_t len = 0;
  union {
    int64_t i;
    double d;
    const void* p;
    TensorImpl* t;
    Device device;
  };

  // Constructors are implicit, so that argument lists read as calls do; those that point at
  // something keep the address alone. Texts and lists are at most 2^32 - 1 long.
  Value() : i(0) {}
  // None.
  Value(std::nullopt_t) : Value() {}
  // The block is pointed at, without a reference: the Tensor must live.
  Value(const Tensor& x) : tag(x.defined() ? Tag::kTensor : Tag::kNone), t(x.impl()) {}  // NOLINT
  template <std::same_as<bool> T>
  Value(T b) : tag(Tag::kBool), i(b) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T n) : Value(Scalar(n)) {}
  template <std::floating_point T>
  Value(T x) : tag(Tag::kDouble), d(x) {}
  // A complex number is pointed at: the Scalar must outlive the Value.
  inline Value(const Scalar& s);
  Value(const std::complex<double>& c) : tag(Tag::kComplex), p(&c) {}
  // Texts: of literals, strings and views.
  Value(std::string_view s)
      : tag(Tag::kString), len(static_cast<uint32_t>(s.size())), p(s.data()) {}  // NOLINT
  Value(const char* s) : Value(std::string_view(s)) {}
  Value(const std::string& s) : Value(std::string_view(s)) {}
  // Lists: of vectors and spans.
  Value(IntSpan l) : Value(Tag::kIntList, l.data(), l.size()) {}
  Value(const std::vector<int64_t>& l) : Value(IntSpan(l)) {}
  // The list lives as long as the full expression, which is the call.
  Value(std::initializer_list<int64_t> l) : Value(IntSpan(l.begin(), l.size())) {}   // NOLINT
  Value(std::span<const double> l) : Value(Tag::kDoubleList, l.data(), l.size()) {}  // NOLINT
  Value(std::span<const bool> l) : Value(Tag::kBoolList, l.data(), l.size()) {}      // NOLINT
  Value(TensorList l) : Value(Tag::kTensorList, l.data(), l.size()) {}
  Value(const std::vector<Tensor>& l) : Value(TensorList(l)) {}
  Value(std::span<const Scalar> l) : Value(Tag::kScalarList, l.data(), l.size()) {}  // NOLINT
  Value(DType x) : tag(Tag::kDType), i(static_cast<int64_t>(x)) {}
  Value(Device x) : tag(Tag::kDevice), device(x) {}
  Value(Layout x) : tag(Tag::kLayout), i(static_cast<int64_t>(x)) {}
  Value(MemoryFormat x) : tag(Tag::kMemoryFormat), i(static_cast<int64_t>(x)) {}  // NOLINT
  // A null generator is None: the device's default one.
  Value(Generator* g) : tag(g == nullptr ? Tag::kNone : Tag::kGenerator), p(g) {}  // NOLINT
  // What merely becomes a Tensor would be gone before the Value is read.
  template <class T>
  requires(std::convertible_to<const T&, Tensor> && !std::derived_from<T, Tensor>) Value(const T&)
  = delete;
  template <class T>
  Value(const std::optional<T>& o) : Value() {
    if (o) *this = Value(*o);
  }
  template <class T>
  Value(WordOptional<T> o) : Value() {
    if (o) *this = Value(*o);
  }

  // An absent optional, an undefined tensor.
  bool is_none() const { return tag == Tag::kNone; }
  // Of kString. Reading as something that the tag does not say gives rubbish, here and in list().
  std::string_view text() const { return {static_cast<const char*>(p), len}; }
  // T: the element type of the tag, int64_t, double, bool, Tensor or Scalar.
  template <class T>
  std::span<const T> list() const {
    return {static_cast<const T*>(p), len};
  }
  // Of a number; kInt for what has only `i`.
  inline Scalar scalar() const;
  // The pointer that this Value holds, seen as the Tensor that it is; the undefined tensor when
  // absent.
  const Tensor& tensor() const {
    static_assert(sizeof(Tensor) == sizeof(TensorImpl*));
    return tag == Tag::kTensor ? *reinterpret_cast<const Tensor*>(&t) : UndefinedTensor();
  }
  SY_API static const Tensor& UndefinedTensor();
  SY_API std::string str() const;  // for messages: "float32[2, 3] on cpu", "2", "[1, 2]", "None"

 private:
  Value(Tag list_tag, const void* data, size_t n)
      : tag(list_tag), len(static_cast<uint32_t>(n)), p(data) {}
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);

// By the number's kind, so that scalar() gives an equal one.
inline Value::Value(const Scalar& s) {
  switch (s.kind()) {
    case Scalar::kBool:
      tag = Tag::kBool;
      i = s.To<int64_t>();
      break;
    case Scalar::kInt:
      tag = Tag::kInt;
      i = s.To<int64_t>();
      break;
    case Scalar::kUInt:
      tag = Tag::kUInt;
      i = s.To<int64_t>();
      break;
    case Scalar::kDouble:
      tag = Tag::kDouble;
      d = s.To<double>();
      break;
    case Scalar::kComplex:
      tag = Tag::kComplex;
      p = s.complex_data();
      break;
  }
}

inline Scalar Value::scalar() const {
  switch (tag) {
    case Tag::kBool:
      return Scalar(i != 0);
    case Tag::kUInt:
      return Scalar(static_cast<uint64_t>(i));
    case Tag::kDouble:
      return Scalar(d);
    case Tag::kComplex: {
      const double* c = static_cast<const double*>(p);
      return Scalar(std::complex<double>(c[0], c[1]));
    }
    default:
      return Scalar(i);
  }
}

// What a call gives back. Move-only.
// A dtype, a number, a text, a list of integers or tensors, or one tensor. Texts and lists are
// copied to the heap; a tensor takes its reference along.
class Result {
 public:
  Result() = default;
  Result(Result&& o) noexcept : v_(std::exchange(o.v_, Value())) {}
  Result& operator=(Result&& o) noexcept {
    std::swap(v_, o.v_);
    return *this;
  }
  ~Result() { Clear(); }

  // Each replaces what was there before. An undefined tensor makes it None.
  void Set(Tensor t) {
    Clear();
    v_.tag = t.defined() ? Tag::kTensor : Tag::kNone;
    v_.t = t.release();
  }
  // Errors: std::bad_alloc, and then it is None; the next three likewise.
  SY_API void Set(std::vector<Tensor> list);
  SY_API void Set(const Scalar& s);
  SY_API void Set(std::string_view text);
  SY_API void Set(IntSpan list);
  void Set(bool b) { Set(Scalar(b)); }
  void Set(int64_t n) { Set(Scalar(n)); }
  void Set(double x) { Set(Scalar(x)); }
  void Set(DType d) {
    Clear();
    v_ = Value(d);
  }

  // What it holds, borrowed: for messages and for passing it on.
  const Value& value() const { return v_; }
  // Errors of the accessors: kInvalidArgument when it holds something else.
  SY_API const Tensor& tensor() const;
  // The reference goes to the caller, and this becomes None; of None it is the undefined tensor.
  SY_API Tensor TakeTensor();
  SY_API std::vector<Tensor> TakeTensors();  // of a tensor list
  // Any number; To<T>() converts it.
  SY_API Scalar scalar() const;

 private:
  // Frees what it holds; v_ is for the caller to set.
  void Clear() {
    if (v_.tag == Tag::kTensor) {
      Tensor(v_.t);
    } else if (v_.tag >= Tag::kComplex) {
      FreeHeap();
    }
  }
  SY_API void FreeHeap();
  Value v_;
};
static_assert(sizeof(Result) == 16);

}  // namespace sy

#endif  // SWITCHYARD_CORE_VALUE_H_
