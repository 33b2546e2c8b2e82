// The one exception type, and how checks raise it.
//
//   if (dim >= rank) Fail(ErrorCode::kOutOfRange, {"dim ", dim, " is out of range for ", rank});
//
// Fail is cold and takes plain values, so that a check costs its caller one compare and a jump.
// Where there is no memory for the text, the Error is kOutOfMemory and says so: making one throws
// nothing else.
// Owns: an Error owns its text.
// Threads: any.
#ifndef SWITCHYARD_CORE_ERROR_H_
#define SWITCHYARD_CORE_ERROR_H_

#include <concepts>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

enum class DType : uint8_t;

enum class ErrorCode : uint8_t {
  kOk,
  kInvalidArgument,  // shapes, dtypes, devices or options that do not fit
  kOutOfRange,       // a dimension or position out of range
  kInvalidValue,     // a value inside a tensor is unacceptable: what the meta device cannot see
  kDataDependent,    // the result depends on values that this device does not have (meta)
  kNotFound,         // no operator, overload or device of that name
  kNotImplemented,   // no kernel for this device and dtype
  kOutOfMemory,
  kUnavailable,   // a device or library is not there
  kBusy,          // cannot be done while something is in use
  kRegistration,  // a schema, operator or kernel was registered wrongly
  kInternal,      // a bug of ours
};
SY_API std::string_view Name(ErrorCode code);

class SY_API Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message) noexcept;
  // kOutOfMemory, which takes no memory to say.
  static Error OutOfMemory() noexcept;
  const char* what() const noexcept override { return text_->c_str(); }
  const std::string& message() const noexcept { return *text_; }
  ErrorCode code() const noexcept { return code_; }

 private:
  Error() noexcept;
  std::shared_ptr<const std::string> text_;  // an exception's copy must not throw
  ErrorCode code_;
};

// One value of a message: text, a number, a list of sizes (printed "[2, 3]") or a dtype (printed by
// name).
class Piece {
 public:
  Piece(std::string_view s) : kind_(kText), text_(s) {}  // NOLINT(google-explicit-constructor)
  Piece(const char* s) : Piece(std::string_view(s)) {}   // NOLINT(google-explicit-constructor)
  Piece(const std::string& s)
      : Piece(std::string_view(s)) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<bool> T>
  Piece(T b) : Piece(b ? "true" : "false") {}  // NOLINT(google-explicit-constructor)
  template <std::signed_integral T>
  Piece(T i) : kind_(kInt), int_(i) {}  // NOLINT(google-explicit-constructor)
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Piece(T i)
      : kind_(kUInt), int_(static_cast<int64_t>(i)) {}  // NOLINT(google-explicit-constructor)
  Piece(double d) : kind_(kDouble), double_(d) {}       // NOLINT(google-explicit-constructor)
  Piece(std::span<const int64_t> l)
      : kind_(kList), list_(l) {}  // NOLINT(google-explicit-constructor)
  Piece(DType d)
      : kind_(kDType), int_(static_cast<int64_t>(d)) {}  // NOLINT(google-explicit-constructor)
  SY_API void AppendTo(std::string& out) const;

 private:
  enum Kind : uint8_t { kText, kInt, kUInt, kDouble, kList, kDType } kind_;
  union {
    std::string_view text_;
    int64_t int_;
    double double_;
    std::span<const int64_t> list_;
  };
};

SY_API std::string Join(std::initializer_list<Piece> pieces);
[[noreturn]] SY_API SY_COLD void Fail(ErrorCode code, std::initializer_list<Piece> pieces);
[[noreturn]] SY_API SY_COLD void Fail(ErrorCode code, std::string message);

}  // namespace sy

#endif  // SWITCHYARD_CORE_ERROR_H_
