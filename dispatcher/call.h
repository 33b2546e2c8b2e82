// Boxed calls, and calls by name.
//
//   Results r = sy::call("add", a, b, sy::kw("alpha", 2));
//   Tensor c = r.take();
//   sy::call("max", x, 0)[1].tensor();
//
// A name is an operator ("add": the overload is found from the argument types) or an overload
// ("add.Tensor"). Arguments left out take the schema's defaults; numbers stand for 0-dim tensors
// and for lists of a fixed size, texts for dtypes and devices, as in Python.
// Owns: Results own what they hold; arguments are borrowed.
// Threads: any.
// Errors: kNotFound for an unknown name, with the nearest one; kInvalidArgument when no overload
// takes the arguments, saying why for each; else as the operator.
#ifndef SWITCHYARD_DISPATCHER_CALL_H_
#define SWITCHYARD_DISPATCHER_CALL_H_

#include <array>
#include <concepts>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/value.h"
#include "switchyard/registry/registry.h"

namespace sy {

// The results of one call. Move-only.
class Results {
 public:
  Results() = default;
  Results(Results&& o) noexcept : size_(o.size_) {
    for (int i = 0; i < size_; ++i) new (at(i)) Result(std::move(*o.at(i)));
  }
  Results& operator=(Results&& o) noexcept {
    Clear();
    size_ = o.size_;
    for (int i = 0; i < size_; ++i) new (at(i)) Result(std::move(*o.at(i)));
    return *this;
  }
  ~Results() { Clear(); }

  int size() const { return size_; }
  // 0 <= i < size().
  Result& operator[](int i) { return *at(i); }
  const Result& operator[](int i) const { return *const_cast<Results*>(this)->at(i); }
  // Of the first result. Errors: kInvalidArgument when there is none or it is something else.
  const Tensor& tensor() const { return First().tensor(); }
  Scalar scalar() const { return First().scalar(); }
  Tensor take() { return const_cast<Result&>(First()).TakeTensor(); }

  // n empty results for a call to fill.
  std::span<Result> Reset(int n) {
    Clear();
    for (; size_ < n; ++size_) new (at(size_)) Result();
    return {at(0), static_cast<size_t>(n)};
  }

 private:
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
  [[noreturn]] SY_API SY_COLD static void FailNoResult();

  alignas(Result) char storage_[kMaxResults * sizeof(Result)];
  int size_ = 0;
};

struct Keyword {
  std::string_view name;
  Value value;
};
// An argument by name; complex numbers, lists and texts must outlive the call.
template <class T>
Keyword kw(std::string_view name, const T& value) {
  return {name, Value(value)};
}

// Calls an operator with one value per argument, of the schema's types. results: at least as many
// as the schema returns. Errors: kInvalidArgument when count or types are wrong; else as the
// operator.
SY_API void CallBoxed(const OperatorEntry& op, std::span<const Value> args,
                      std::span<Result> results);

// As call(), with arguments already boxed.
SY_API Results CallByName(std::string_view name, std::span<const Value> args,
                          std::span<const Keyword> keywords = {});
// The overload that such a call would reach. Errors as the call's.
SY_API const OperatorEntry& FindOverload(std::string_view name, std::span<const Value> args,
                                         std::span<const Keyword> keywords = {});

// The name in a call by string; the compiler hashes literals.
struct CallName {
  std::string_view text;
  uint64_t hash;
  template <size_t N>
  consteval CallName(const char (&literal)[N])  // NOLINT(google-explicit-constructor)
      : text(literal, N - 1), hash(HashName(text)) {}
  template <std::convertible_to<std::string_view> S>
  CallName(const S& name)  // NOLINT(google-explicit-constructor)
      : text(name), hash(HashName(text)) {}
};

namespace internal {

// signature: of the argument types, 0 when too many; args has room for `room` values in all.
SY_API void CallFamily(std::string_view name, uint64_t hash, uint64_t signature, Value* args, int n,
                       int room, Results& results);

// 5 bits a tag, and the number of arguments: exact for up to 11.
inline constexpr int kSignatureArgs = 11;
inline uint64_t SignatureOf(const Value* v, int n) {
  if (n > kSignatureArgs) return 0;
  uint64_t s = 1;
  for (int i = 0; i < n; ++i) s = s << 5 | static_cast<uint64_t>(v[i].tag);
  return s;
}

template <class T>
inline constexpr bool kIsKeyword = std::is_same_v<T, Keyword>;

}  // namespace internal

namespace internal {

template <class... A>
Results Call(std::string_view name, uint64_t hash, const A&... a) {
  Results results;
  if constexpr ((false || ... || kIsKeyword<A>)) {
    Value args[sizeof...(A)];
    Keyword keywords[sizeof...(A)];
    size_t n = 0, k = 0;
    const auto add = [&](const auto& x) {
      if constexpr (internal::kIsKeyword<std::remove_cvref_t<decltype(x)>>) {
        keywords[k++] = x;
      } else {
        args[n++] = Value(x);
      }
    };
    (add(a), ...);
    return CallByName(name, {args, n}, {keywords, k});
  } else {
    constexpr int kN = sizeof...(A), kRoom = kN + 12;
    alignas(Value) char storage[kRoom * sizeof(Value)];  // room for defaults, not initialised
    Value* args = reinterpret_cast<Value*>(storage);
    int i = 0;
    ((new (&args[i++]) Value(a)), ...);
    CallFamily(name, hash, SignatureOf(args, kN), args, kN, kRoom, results);
    return results;
  }
}

}  // namespace internal

template <class... A>
SY_INLINE Results call(CallName name, const A&... a) {
  return internal::Call(name.text, name.hash, a...);
}

// What try_call gives: results, or why there are none. What a kernel throws that is no Error counts
// as kInternal.
struct Outcome {
  ErrorCode code = ErrorCode::kOk;
  std::string message;
  Results results;
  explicit operator bool() const { return code == ErrorCode::kOk; }
};

namespace internal {
// thrown: null for what is no exception.
SY_API SY_COLD void SetFailure(Outcome& o, const std::exception* thrown) noexcept;
}  // namespace internal

// As call(), but nothing is thrown.
template <class... A>
Outcome try_call(CallName name, const A&... a) noexcept {
  Outcome o;
  try {
    o.results = call(name, a...);
  } catch (const std::exception& e) {
    internal::SetFailure(o, &e);
  } catch (...) {
    internal::SetFailure(o, nullptr);
  }
  return o;
}

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_CALL_H_
