// What plugins in C++17 lack of C++20, and errors that cross the ABI as codes.
//
//   return Guard(error, [&] { if (n < 0) throw Error("n must not be negative"); });
//
// Part of switchyard/c/plugin.hpp, which includes it.
// Owns: an Error its text. Threads: any.
// Errors: thrown ones become SY_E_* and a text for the host, by Guard.
#ifndef SWITCHYARD_C_SUPPORT_HPP_
#define SWITCHYARD_C_SUPPORT_HPP_

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "switchyard/c/plugin.h"

namespace sy::abi {

// --- What C++17 lacks ---

#if __cplusplus >= 202002L
// What C++20 has in <span>, as far as it is used; a view of n elements in a row.
template <class T>
using Span = std::span<T>;
template <class T>
using TypeTag = std::type_identity<T>;
#else
// Of an array, of what has data() and size(), or of a pointer and a count.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t kN>
  constexpr Span(T (&array)[kN]) : Span(array, kN) {}
  template <class C, class = decltype(std::declval<C&>().data())>
  constexpr Span(C& c) : Span(c.data(), c.size()) {}
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

// A failure: an SY_E_* code and a text, which the host puts behind the operator's name.
//   throw Error("expected a matrix");  throw Error(SY_E_UNSUPPORTED, "no double precision here");
class Error : public std::exception {
 public:
  Error(int32_t code, std::string text) : code_(code), text_(std::move(text)) {}
  // SY_E_INVALID_ARGUMENT, the usual one.
  explicit Error(std::string text) : Error(SY_E_INVALID_ARGUMENT, std::move(text)) {}
  // SY_E_*: what the host turns into an ErrorCode of its own.
  int32_t code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  int32_t code_;
  std::string text_;
};
// Thrown by a kernel that does not serve these arguments: the next candidate is tried. Nothing has
// been written or queued by then.
//   throw Declined("only 4-dimensional inputs");
class Declined {
 public:
  Declined() = default;
  // reason: static text, for the error where nothing else serves the call, and for `explain`.
  explicit Declined(const char* reason) : reason_(reason) {}
  const char* reason() const noexcept { return reason_; }

 private:
  const char* reason_ = "";
};

// As much of the text as fits, with a closing zero; nothing where the host has given no room.
inline void WriteText(SyError* error, std::string_view text) noexcept {
  if (error == nullptr || error->text == nullptr || error->capacity == 0) return;
  const size_t n = std::min<size_t>(text.size(), error->capacity - 1);
  std::memcpy(error->text, text.data(), n);
  error->text[n] = '\0';
}

// Runs f, which may throw, as a callback of the ABI. Returns SY_OK, SY_DECLINED, the Error's code,
// SY_E_OUT_OF_MEMORY for std::bad_alloc, SY_E_INTERNAL for anything else.
template <class F>
int32_t Guard(SyError* error, F&& f) noexcept {
  try {
    f();
    return SY_OK;
  } catch (const Declined& d) {
    WriteText(error, d.reason());
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

}  // namespace sy::abi

#endif  // SWITCHYARD_C_SUPPORT_HPP_
