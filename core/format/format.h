// fmt::format with the values of messages: sizes as "[2, 3]", dtypes and error codes by name,
// devices and numbers as they print. They are written as a Piece is (core/error.h).
//
//   fmt::format("expected sizes {}, got {} of {}", expected, t.sizes(), t.dtype());
//
// For tables, explanations and reports. What throws on the way of a call has Fail and its pieces,
// which cost the caller less code (docs/design/2026-11-23-libraries-and-our-twins.md).
// Private: an installed header never includes it.
// Owns: nothing.
// Threads: any.
// Errors: std::bad_alloc.
#ifndef CORE_FORMAT_FORMAT_H_
#define CORE_FORMAT_FORMAT_H_

#include <concepts>
#include <string>

#include "switchyard/core/device.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/error.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/sizes.h"
#include "third_party/fmt/format.h"

namespace sy::internal {

fmt::appender Append(fmt::appender out, const Piece& piece);

// Takes no specification: "{}" alone.
struct PlainFormatter {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
};

// Values that have a str() of their own.
template <class T>
concept HasText = std::same_as<T, Device> || std::same_as<T, Scalar>;

}  // namespace sy::internal

template <class T>
requires std::derived_from<T, sy::IntSpan>
struct fmt::formatter<T> : sy::internal::PlainFormatter {
  auto format(sy::IntSpan list, fmt::format_context& context) const {
    return sy::internal::Append(context.out(), list);
  }
};

template <>
struct fmt::formatter<sy::DType> : sy::internal::PlainFormatter {
  auto format(sy::DType dtype, fmt::format_context& context) const {
    return sy::internal::Append(context.out(), dtype);
  }
};

template <>
struct fmt::formatter<sy::ErrorCode> : sy::internal::PlainFormatter {
  auto format(sy::ErrorCode code, fmt::format_context& context) const {
    return sy::internal::Append(context.out(), sy::Name(code));
  }
};

template <sy::internal::HasText T>
struct fmt::formatter<T> : sy::internal::PlainFormatter {
  auto format(const T& value, fmt::format_context& context) const {
    return sy::internal::Append(context.out(), value.str());
  }
};

#endif  // CORE_FORMAT_FORMAT_H_
