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
// Owns: nothing: what is read out of a boxed value lives as long as what the value points to.
// Threads: any.
#ifndef SWITCHYARD_REGISTRY_SIGNATURE_H_
#define SWITCHYARD_REGISTRY_SIGNATURE_H_

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
using NameList = std::span<const std::string_view>;

// Param<T>: kCode is the letter Schema::Code uses; From reads a boxed value whose tag fits.
template <class T>
struct Param;

#define SY_PARAM(type, code, ...)                            \
  template <>                                                \
  struct Param<type> {                                       \
    static constexpr char kCode = code;                      \
    static type From(const Value& v) { return __VA_ARGS__; } \
  };
SY_PARAM(const Tensor&, 'T', v.tensor())
SY_PARAM(TensorList, 'L', v.list<Tensor>())
SY_PARAM(int64_t, 'i', v.i)
SY_PARAM(IntSpan, 'l', v.list<int64_t>())
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

// Meta is what shape rules see of a Tensor.
template <>
struct Param<const Meta&> : Param<const Tensor&> {};
template <>
struct Param<const Scalar&> {
  static constexpr char kCode = 's';
  static Scalar From(const Value& v) { return v.scalar(); }
};
template <>
struct Param<const std::optional<Scalar>&> {
  static constexpr char kCode = 'S';
  static std::optional<Scalar> From(const Value& v) {
    if (v.is_none()) return std::nullopt;
    return v.scalar();
  }
};
template <class T>
struct OptionalParam {
  static constexpr char Code() {
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
template <class T>
struct Param<WordOptional<T>> : OptionalParam<T> {};

// Letters of a result type, and how a result is boxed.
template <class R>
struct Return {
  static constexpr std::array<char, 1> kCode = {Param<R>::kCode};
  static void Box(R r, Result* out) { out[0].Set(r); }
};
template <>
struct Return<Scalar> {
  static constexpr std::array<char, 1> kCode = {'s'};
  static void Box(const Scalar& r, Result* out) { out[0].Set(r); }
};
template <>
struct Return<Tensor> {
  static constexpr std::array<char, 1> kCode = {'T'};
  static void Box(Tensor r, Result* out) { out[0].Set(std::move(r)); }
};
template <>
struct Return<std::vector<Tensor>> {
  static constexpr std::array<char, 1> kCode = {'L'};
  static void Box(std::vector<Tensor> r, Result* out) { out[0].Set(std::move(r)); }
};
template <class... T>
struct Return<std::tuple<T...>> {
  static constexpr std::array<char, sizeof...(T)> kCode = {Return<T>::kCode[0]...};
  static void Box(std::tuple<T...> r, Result* out) {
    std::apply([&](auto&... x) { (Return<T>::Box(std::move(x), out++), ...); }, r);
  }
};

// SignatureCode<Tensor(const Tensor&, int64_t)>::kText == "Ti>T", as Schema::Code gives it.
template <class F>
struct SignatureCode;
template <class R, class... A>
struct SignatureCode<R(A...)> {
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

#endif  // SWITCHYARD_REGISTRY_SIGNATURE_H_
