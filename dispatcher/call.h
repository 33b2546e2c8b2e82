// Boxed calls, and calls by name.
//
//   Results r = sy::call("add", a, b, sy::kw("alpha", 2));
//   Tensor c = sy::call("add", a, b);
//   sy::call("max", x, 0)[1].tensor();
//   sy::call("rand", 2, 2);  sy::call("zeros", {2, 3}, "cuda:0");  sy::call("to", x, device);
//
// A name is an operator ("add": the overload is found from the argument types) or an overload
// ("add.Tensor"); "aten::add" is the same. Arguments left out take the schema's defaults; numbers
// stand for 0-dim tensors and for lists of a fixed size, texts for dtypes and devices, as in
// Python. Integers at the end of the arguments by position stand for a list there. Among those that
// Python takes by name alone, a dtype, a device and the like find their place by what they are.
// Braces with integers are a list.
//
// Of several overloads that take the arguments the one with the least conversion is called, of
// these the one with the fewest arguments left out.
// Cost: the first call with arguments of given types and keywords tries every overload; later ones
// find a plan by these, of which a name keeps 8, and cost some nanoseconds more than a typed call,
// a few for each keyword and each conversion. With more than 11 arguments each call tries them all.
//
// What stands for what:
//
//   the schema says             besides itself, a call may give
//   Tensor                      a number, as a 0-dim tensor; what converts to a Tensor
//   float                       an int or a bool
//   float[]                     a list of integers
//   int[2]                      one integer, which stands for both
//   int[]                       integers, at the end of the arguments by position
//   ScalarType, Device, Layout  a text: "float32", "cuda:0", "strided"
//   T?                          std::nullopt
// Owns: Results own what they hold; arguments are borrowed.
// Threads: any.
// Errors: kNotFound for an unknown name, with the nearest one; kNoOverload when no overload takes
// the arguments, saying why for each; else as the operator.
#ifndef SWITCHYARD_DISPATCHER_CALL_H_
#define SWITCHYARD_DISPATCHER_CALL_H_

#include <array>
#include <concepts>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/value.h"
#include "switchyard/registry/registry.h"

namespace sy {

// The results of one call, at most kMaxResults; of an operator that writes its arguments, these
// again. Move-only. A Result that has been taken is None.
class Results {
 public:
  Results() = default;
  // The other keeps as many results, which are None.
  Results(Results&& o) noexcept : size_(o.size_) {
    for (int i = 0; i < size_; ++i) new (at(i)) Result(std::move(*o.at(i)));
  }
  // What was held is released first.
  Results& operator=(Results&& o) noexcept {
    Clear();
    size_ = o.size_;
    for (int i = 0; i < size_; ++i) new (at(i)) Result(std::move(*o.at(i)));
    return *this;
  }
  ~Results() { Clear(); }

  // As many as the schema returns; 0 of a default-made or moved-from object.
  int size() const { return size_; }
  // 0 <= i < size().
  Result& operator[](int i) { return *at(i); }
  const Result& operator[](int i) const { return *const_cast<Results*>(this)->at(i); }
  // Of the first result: borrowed, as a number, or the tensor itself, which is then gone from here.
  // Errors: kInvalidArgument when there is none or it is something else.
  const Tensor& tensor() const { return First().tensor(); }
  Scalar scalar() const { return First().scalar(); }
  Tensor take() { return const_cast<Result&>(First()).TakeTensor(); }
  // The only result. Errors: kInvalidArgument when there are more, none, or it is no tensor. It is
  // what Tensor c = call(…) uses, by the second one.
  operator Tensor() const& { return Only().tensor(); }                       // NOLINT
  operator Tensor() && { return const_cast<Result&>(Only()).TakeTensor(); }  // NOLINT

  // n empty results for a call to fill; what was held is released. n: 0 … kMaxResults.
  SY_INLINE std::span<Result> Reset(int n) {
    Clear();
    for (; size_ < n; ++size_) new (at(size_)) Result();
    return {at(0), static_cast<size_t>(n)};
  }

 private:
  // Slots are made when a call needs them: a call of one result does not clear eight.
  Result* at(int i) { return reinterpret_cast<Result*>(storage_) + i; }
  void Clear() {
    for (int i = 0; i < size_; ++i) at(i)->~Result();
    size_ = 0;
  }
  const Result& First() const {
    if (size_ == 0) [[unlikely]]
      FailNoResult();
    return (*this)[0];
  }
  const Result& Only() const {
    if (size_ != 1) [[unlikely]]
      FailNotOne();
    return (*this)[0];
  }
  // kInvalidArgument, both.
  [[noreturn]] SY_API SY_COLD static void FailNoResult();
  [[noreturn]] SY_API SY_COLD void FailNotOne() const;

  alignas(Result) char storage_[kMaxResults * sizeof(Result)];
  int size_ = 0;
};

// The name is borrowed too.
struct Keyword {
  std::string_view name;
  Value value;
};
// An argument by name; complex numbers, lists and texts must outlive the call. Keywords stand
// behind all arguments by position, in any order. Errors of the call: kNoOverload for a name that
// the schema lacks or one that is given twice.
template <class T = std::initializer_list<int64_t>>
Keyword kw(std::string_view name, const T& value) {
  return {name, Value(value)};
}

// Calls an operator with one value per argument, of the schema's types; None for an absent
// optional. results: at least as many as the schema returns, filled from the front. Layers are
// passed as by any call. Errors: kInvalidArgument when count or types are wrong; else as the
// operator.
SY_API void CallBoxed(const OperatorEntry& op, std::span<const Value> args,
                      std::span<Result> results);

// As call(), with arguments already boxed.
SY_API Results CallByName(std::string_view name, std::span<const Value> args,
                          std::span<const Keyword> keywords = {});
// The overload that such a call would reach; nothing is called. Errors as the call's before it
// begins.
SY_API const OperatorEntry& FindOverload(std::string_view name, std::span<const Value> args,
                                         std::span<const Keyword> keywords = {});

// The name in a call by string; the compiler hashes literals, other texts are hashed at the call.
// It borrows the text for the call.
struct CallName {
  std::string_view text;
  uint64_t hash;
  // sy::call("add", …): the hash is a constant of the program.
  template <size_t N>
  consteval CallName(const char (&literal)[N]) : text(literal, N - 1), hash(HashName(text)) {}
  // A std::string, a view, a char*: hashed at each call.
  template <std::convertible_to<std::string_view> S>
  CallName(const S& name) : text(name), hash(HashName(text)) {}
};

namespace internal {

// signature: as SignatureOf; args has room for n + kDefaultsRoom values, of which the first n are
// given and those behind are written.
SY_API void CallPacket(std::string_view name, uint64_t hash, uint64_t signature, Value* args, int n,
                       Results& results);
SY_API void CallWithKeywords(std::string_view name, uint64_t hash, uint64_t signature,
                             const Value* args, int n, const Keyword* keywords, int num_keywords,
                             Results& results);

// Behind the arguments of a call that have no keyword: nearly every operator's defaults fit.
inline constexpr int kDefaultsRoom = 12;

// 5 bits a tag, the number of arguments by the leading 1, and that of keywords above: exact for up
// to 11 of both together. The empty list of integers, which stands for any empty list, is a type.
inline constexpr int kSignatureArgs = 11;
// 0 where there are more arguments; never 0 otherwise.
inline uint64_t SignatureOf(const Value* v, int n, const Keyword* keywords = nullptr,
                            int num_keywords = 0) {
  if (n + num_keywords > kSignatureArgs) return 0;
  constexpr uint64_t kEmptyInts = 31;
  static_assert(kNumTags <= kEmptyInts);
  const auto code = [](const Value& x) {
    return x.tag == Tag::kIntList && x.len == 0 ? kEmptyInts : static_cast<uint64_t>(x.tag);
  };
  uint64_t s = 1;
  for (int i = 0; i < n; ++i) s = s << 5 | code(v[i]);
  for (int i = 0; i < num_keywords; ++i) s = s << 5 | code(keywords[i].value);
  return s | static_cast<uint64_t>(num_keywords) << 58;
}

template <class T>
inline constexpr bool kIsKeyword = std::is_same_v<T, Keyword>;

}  // namespace internal

namespace internal {

// Boxes the arguments on the stack: keywords apart, defaults behind.
template <class... A>
Results Call(std::string_view name, uint64_t hash, const A&... a) {
  Results results;
  constexpr int kKeywords = (0 + ... + static_cast<int>(kIsKeyword<A>));
  constexpr int kN = static_cast<int>(sizeof...(A)) - kKeywords;
  if constexpr (kKeywords > 0) {
    Value args[kN + 1];
    Keyword keywords[kKeywords];
    int n = 0, k = 0;
    const auto add = [&](const auto& x) {
      if constexpr (kIsKeyword<std::remove_cvref_t<decltype(x)>>) {
        keywords[k++] = x;
      } else {
        args[n++] = Value(x);
      }
    };
    (add(a), ...);
    CallWithKeywords(name, hash, SignatureOf(args, kN, keywords, kKeywords), args, kN, keywords,
                     kKeywords, results);
  } else {
    alignas(Value) char storage[(kN + kDefaultsRoom) * sizeof(Value)];  // not initialised
    Value* args = reinterpret_cast<Value*>(storage);
    int i = 0;
    ((new (&args[i++]) Value(a)), ...);
    CallPacket(name, hash, SignatureOf(args, kN), args, kN, results);
  }
  return results;
}

}  // namespace internal

namespace internal {

// An argument as Call takes it: what becomes a tensor is made one, which lives during the call.
// By reference where nothing has to be made.
template <class T>
SY_INLINE decltype(auto) Held(const T& a) {
  if constexpr (std::convertible_to<const T&, Tensor> && !std::same_as<T, Tensor>) {
    return Tensor(a);
  } else {
    return (a);
  }
}

}  // namespace internal

// Braces have no type that could be deduced: those among the first four arguments are lists of
// integers. Further ones are written as a vector or a span.
using IntBraces = std::initializer_list<int64_t>;
// Calls an operator by name: see above. Arguments: what a Value is made of (core/value.h), what
// converts to a Tensor, and kw(). None is std::nullopt, or an undefined tensor.
//   sy::call("sum", x, {0, 1}, sy::kw("keepdim", true));     // overload sum.dim_IntList
//   sy::call("clamp", x, std::nullopt, 1.0);                 // no lower bound
//   sy::call("add_", x, y);                                  // writes x, returns it
SY_INLINE Results call(CallName name) { return internal::Call(name.text, name.hash); }
template <class A = IntBraces>
SY_INLINE Results call(CallName name, const A& a) {
  return internal::Call(name.text, name.hash, internal::Held(a));
}
template <class A = IntBraces, class B = IntBraces>
SY_INLINE Results call(CallName name, const A& a, const B& b) {
  return internal::Call(name.text, name.hash, internal::Held(a), internal::Held(b));
}
template <class A = IntBraces, class B = IntBraces, class C = IntBraces>
SY_INLINE Results call(CallName name, const A& a, const B& b, const C& c) {
  return internal::Call(name.text, name.hash, internal::Held(a), internal::Held(b),
                        internal::Held(c));
}
template <class A = IntBraces, class B = IntBraces, class C = IntBraces, class D = IntBraces,
          class... Rest>
SY_INLINE Results call(CallName name, const A& a, const B& b, const C& c, const D& d,
                       const Rest&... rest) {
  return internal::Call(name.text, name.hash, internal::Held(a), internal::Held(b),
                        internal::Held(c), internal::Held(d), internal::Held(rest)...);
}

// What try_call gives: results, or why there are none. What a kernel throws that is no Error counts
// as kInternal, std::bad_alloc as kOutOfMemory.
//   if (Outcome o = sy::try_call("add", a, b)) Use(o.results.tensor()); else Log(o.message);
struct Outcome {
  ErrorCode code = ErrorCode::kOk;  // why it failed
  std::string message;
  Results results;  // none where it failed
  // Whether the call has succeeded.
  explicit operator bool() const { return code == ErrorCode::kOk; }
};

namespace internal {
// thrown: null for what is no exception.
// Code and text of what was thrown; takes memory for the text alone.
SY_API SY_COLD void SetFailure(Outcome& o, const std::exception* thrown) noexcept;
}  // namespace internal

namespace internal {

// noexcept: where there is no memory for the message, that is the message.
template <class... A>
Outcome TryCall(CallName name, const A&... a) noexcept {
  Outcome o;
  try {
    o.results = call(name, a...);
  } catch (const std::exception& e) {
    SetFailure(o, &e);
  } catch (...) {
    SetFailure(o, nullptr);
  }
  return o;
}

}  // namespace internal

// As call(), but nothing is thrown. In place: what was written before the failure stays written.
template <class A = IntBraces, class B = IntBraces, class... Rest>
Outcome try_call(CallName name, const A& a, const B& b, const Rest&... rest) noexcept {
  return internal::TryCall(name, a, b, rest...);
}
template <class A = IntBraces>
Outcome try_call(CallName name, const A& a) noexcept {
  return internal::TryCall(name, a);
}
// Without arguments.
inline Outcome try_call(CallName name) noexcept { return internal::TryCall(name); }

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_CALL_H_
