// Optional<T>: std::optional, but of one word where T is an enum, a bool or a Device.
//
//   Optional<DType> d = std::nullopt;  d = DType::kInt8;
//   d.value_or(DefaultDType());  if (d) Use(*d);
//
// An Optional<bool> is made of a bool alone, not of what merely converts to one, so that a number
// or a text in its place is an error.
//
// Options of creation operators travel as arguments on every call. std::optional<bool> is two bytes
// that compilers write one by one and read together, which costs a stalled load each; an Optional
// of such types is one register.
// Owns: its value.
// Threads: as its value.
// Errors: an Optional<Device> of a text throws what ParseDevice does.
#ifndef SWITCHYARD_CORE_OPTIONAL_H_
#define SWITCHYARD_CORE_OPTIONAL_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "switchyard/core/device.h"

namespace sy {

// How a small type fits into a word; -1 stands for nothing.
template <class T>
struct WordOf {
  static constexpr int64_t To(T t) { return static_cast<int64_t>(t); }
  static constexpr T From(int64_t w) { return static_cast<T>(w); }
};
// Row in the lower half word, index above it: never negative, even with the index -1.
template <>
struct WordOf<Device> {
  static constexpr int64_t To(Device d) {
    return static_cast<int64_t>(d.type.row) | static_cast<int64_t>(static_cast<uint16_t>(d.index))
                                                  << 16;
  }
  static constexpr Device From(int64_t w) {
    return {{static_cast<Row>(w)}, static_cast<int16_t>(w >> 16)};
  }
};

// What std::optional has of members, as far as it is used; comparing two compares words.
template <class T>
class WordOptional {
 public:
  using value_type = T;
  constexpr WordOptional() = default;
  constexpr WordOptional(std::nullopt_t) {}
  // A value; for bool see the next.
  constexpr WordOptional(T t) requires(!std::same_as<T, bool>) : word_(WordOf<T>::To(t)) {}
  template <std::same_as<T> B>
  requires std::same_as<B, bool>
  constexpr WordOptional(B b) : word_(b) {}
  template <DeviceText S>
  requires std::same_as<T, Device> WordOptional(const S& text)  // NOLINT: "cuda:1"
      : WordOptional(T(text)) {}
  constexpr WordOptional(const std::optional<T>& o)
      : word_(o ? WordOf<T>::To(*o) : -1) {}  // NOLINT
  // Reading an empty one by * gives the value of -1, whatever that is.
  constexpr bool has_value() const { return word_ >= 0; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr T operator*() const { return WordOf<T>::From(word_); }
  constexpr T value_or(T other) const { return has_value() ? **this : other; }
  friend constexpr bool operator==(WordOptional, WordOptional) = default;

 private:
  int64_t word_ = -1;
};

// The types that are kept in a word: bool, Device, and enums, whose numbers are not negative.
template <class T>
inline constexpr bool kFitsWord =
    std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, Device>;
// By value, in signatures of operators; code that knows T may take either class.
template <class T>
using Optional = std::conditional_t<kFitsWord<T>, WordOptional<T>, std::optional<T>>;

}  // namespace sy

#endif  // SWITCHYARD_CORE_OPTIONAL_H_
