// The C++ side of schemas: which C++ type stands for which schema type, and how it comes out of a
// boxed value.
//
//   Tensor, Tensor?      const Tensor&, maybe undefined    Scalar        const Scalar&
//   Tensor[], Tensor?[]  TensorList                        Scalar?       const optional<Scalar>&
//   int, SymInt          int64_t                           Scalar[]      span<const Scalar>
//   int[], SymInt[]      IntSpan                           ScalarType    DType
//   float, float[]       double, span<const double>        Layout        Layout
//   bool, bool[]         bool, span<const bool>            Device        Device
//   str                  string_view                       MemoryFormat  MemoryFormat
//   T?                   Optional<T>                       Generator?    Generator*
//
// Results: Tensor, std::tuple of Tensors, std::vector<Tensor>, Scalar, bool, int64_t, double, void;
// `const Tensor&` for a returned argument (in place, out=).
//
// Each type has a letter, an optional one another; the letters of a function's types, "TTs>T", are
// what handles, shape functions and kernels are compared with their schema by. Types are those of
// libtorch's C++ functions, but for views (IntSpan, TensorList, string_view) that are our own or
// the library's.
//
// Letters, plain and optional:
//
//   Tensor T     TensorList L     Scalar s S        span<const Scalar> t U
//   int64_t i I  IntSpan l M      DType y Y         Layout a A
//   double d D   doubles f F      Device v V        MemoryFormat m N
//   bool b B     bools c C        string_view r R   NameList q Q, Generator* g
//
// For instance: "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor" is "TTs>T",
// its kernels are void(Call, const Tensor& out, const Tensor&, const Tensor&, const Scalar&),
// "TTTs>".
// Owns: nothing: what is read out of a boxed value lives as long as what the value points to.
// Threads: any.
// Errors: none: tags are looked at before.
#ifndef SWITCHYARD_OP_SIGNATURE_H_
#define SWITCHYARD_OP_SIGNATURE_H_

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "switchyard/core/value.h"

namespace sy {

// Lists of names (Dimname[]): only the empty one is accepted.
// Stands for dimensions' names, which tensors here have none of.
using NameList = std::span<const std::string_view>;

// Param<T>: kCode is the letter Schema::Code uses; From reads a boxed value whose tag fits.
// Other types do not compile: they are no types of schemas.
template <class T>
struct Param;

// Parameter type, letter, and the value in `v`, whose tag is one of the type's.
#define SY_PARAM(type, code, ...)                            \
  template <>                                                \
  struct Param<type> {                                       \
    static constexpr char kCode = code;                      \
    static type From(const Value& v) { return __VA_ARGS__; } \
  };
// Tensors and numbers: the value's own word.
SY_PARAM(const Tensor&, 'T', v.tensor())
// Lists and texts: spans into what the value points to.
SY_PARAM(TensorList, 'L', v.list<Tensor>())
SY_PARAM(int64_t, 'i', v.i)
SY_PARAM(IntSpan, 'l', v.list<int64_t>())
// An int where a float is meant is converted.
SY_PARAM(double, 'd', v.scalar().To<double>())
SY_PARAM(std::span<const double>, 'f', v.list<double>())
SY_PARAM(bool, 'b', v.i != 0)
SY_PARAM(std::span<const bool>, 'c', v.list<bool>())
SY_PARAM(std::string_view, 'r', v.text())
SY_PARAM(NameList, 'q', (static_cast<void>(v), NameList()))
SY_PARAM(std::span<const Scalar>, 't', v.list<Scalar>())
SY_PARAM(DType, 'y', static_cast<DType>(v.i))
SY_PARAM(Layout, 'a', static_cast<Layout>(v.i))
SY_PARAM(Device, 'v', v.device)
SY_PARAM(MemoryFormat, 'm', static_cast<MemoryFormat>(v.i))
SY_PARAM(Generator*, 'g', v.is_none() ? nullptr : static_cast<Generator*>(const_cast<void*>(v.p)))
#undef SY_PARAM

// TensorBase is what shape functions see of a Tensor.
// The same letter: a variant gives the tensor itself.
template <>
struct Param<const TensorBase&> : Param<const Tensor&> {};
// By value out of the box: the number is copied.
template <>
struct Param<const Scalar&> {
  static constexpr char kCode = 's';
  static Scalar From(const Value& v) { return v.scalar(); }
};
// By reference in signatures, since it is three words.
template <>
struct Param<const std::optional<Scalar>&> {
  static constexpr char kCode = 'S';
  static std::optional<Scalar> From(const Value& v) {
    // None is the absent optional.
    if (v.is_none()) return std::nullopt;
    return v.scalar();
  }
};
// T?: the letter of T in another case or, where that is taken, another one.
template <class T>
struct OptionalParam {
  // Upper case where that letter is free.
  static constexpr char Code() {
    // Letter, and letter of the optional.
    constexpr std::pair<char, char> kPairs[] = {
        {'i', 'I'}, {'l', 'M'}, {'d', 'D'}, {'f', 'F'}, {'b', 'B'}, {'c', 'C'}, {'r', 'R'},
        {'q', 'Q'}, {'t', 'U'}, {'y', 'Y'}, {'a', 'A'}, {'v', 'V'}, {'m', 'N'}};
    for (auto [plain, optional] : kPairs) {
      if (plain == Param<T>::kCode) return optional;
    }
    return '?';
  }
  static constexpr char kCode = Code();
  static Optional<T> From(const Value& v) {
    if (v.is_none()) return std::nullopt;
    return Param<T>::From(v);
  }
};
template <class T>
requires(!kFitsWord<T>) struct Param<std::optional<T>> : OptionalParam<T> {
};
// Optional<T> of enums, bool and Device (core/optional.h).
template <class T>
struct Param<WordOptional<T>> : OptionalParam<T> {};

// Letters of a result type, and how a result is boxed: Box fills as many Results as the type has.
template <class R>
struct Return {
  static constexpr std::array<char, 1> kCode = {Param<R>::kCode};
  static void Box(R r, Result* out) { out[0].Set(r); }
};
// A number of any kind.
template <>
struct Return<Scalar> {
  static constexpr std::array<char, 1> kCode = {'s'};
  static void Box(const Scalar& r, Result* out) { out[0].Set(r); }
};
// A new tensor, or a view.
template <>
struct Return<Tensor> {
  static constexpr std::array<char, 1> kCode = {'T'};
  static void Box(Tensor r, Result* out) { out[0].Set(std::move(r)); }
};
// A list of any length, as split gives it.
template <>
struct Return<std::vector<Tensor>> {
  static constexpr std::array<char, 1> kCode = {'L'};
  static void Box(std::vector<Tensor> r, Result* out) { out[0].Set(std::move(r)); }
};
template <class... T>
struct Return<std::tuple<T...>> {
  static constexpr std::array<char, sizeof...(T)> kCode = {Return<T>::kCode[0]...};
  // One Result each, in order.
  static void Box(std::tuple<T...> r, Result* out) {
    std::apply([&](auto&... x) { (Return<T>::Box(std::move(x), out++), ...); }, r);
  }
};

// SignatureCode<Tensor(const Tensor&, int64_t)>::kText == "Ti>T", as Schema::Code gives it. Texts
// are compared, so that a kernel of another shared object fits as well.
template <class F>
struct SignatureCode;
// A void R has no letters behind the '>': in place, out=, and kernels.
template <class R, class... A>
struct SignatureCode<R(A...)> {
  // Letters of the parameters, '>', letters of the results, and a closing zero.
  static constexpr auto Make() {
    if constexpr (std::is_void_v<R>) {
      return std::array<char, sizeof...(A) + 2>{Param<A>::kCode..., '>', 0};
    } else {
      constexpr size_t kResults = Return<R>::kCode.size();
      std::array<char, sizeof...(A) + kResults + 2> s = {Param<A>::kCode..., '>'};
      for (size_t i = 0; i < kResults; ++i) s[sizeof...(A) + 1 + i] = Return<R>::kCode[i];
      return s;
    }
  }
  static constexpr auto kStorage = Make();
  static constexpr const char* kText = kStorage.data();
};

}  // namespace sy

#endif  // SWITCHYARD_OP_SIGNATURE_H_
