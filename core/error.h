// The one exception type, a std::runtime_error, and how checks raise it.
//
//   if (dim >= rank) Fail(ErrorCode::kOutOfRange, {"dim ", dim, " is out of range for ", rank});
//   try { sy::add(a, b); } catch (const sy::Error& e) { e.code(); e.op(); e.reason(); }
//
// Fail is cold and takes plain values, so that a check costs its caller one compare and a jump.
// Where there is no memory for the text, the Error is kOutOfMemory and says so: making one throws
// nothing else. ATen's c10::Error and its kin are one class here; the code says which.
//
// Which code for what, seen from a program:
//
//   the caller's mistake   kInvalidArgument, kOutOfRange, kNoOverload, kNotFound
//   the data's             kInvalidValue, kIndexOutOfRange
//   the program's build    kNotImplemented, kUnavailable, kRegistration
//   the machine's          kOutOfMemory, kUnavailable, kBusy
//   a device without data  kDataDependent
//   ours                   kInternal
// Owns: an Error owns its text.
// Threads: any; an Error may be copied to another thread.
// Errors: here is where they are made.
#ifndef SWITCHYARD_CORE_ERROR_H_
#define SWITCHYARD_CORE_ERROR_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

enum class DType : uint8_t;

// Why a call failed, for programs; the message is for people. The C ABI has codes of its own
// (c/values.h: SY_E_*).
enum class ErrorCode : uint8_t {
  kOk,               // no failure: only in outcomes (try_call)
  kInvalidArgument,  // shapes, dtypes, devices or options that do not fit
  kOutOfRange,       // a dimension or position out of range
  kInvalidValue,     // a value inside a tensor is unacceptable: what the meta device cannot see
  kIndexOutOfRange,  // the same of a position, an IndexError where kOutOfRange is one of arguments
  kDataDependent,    // the result depends on values that this device does not have (meta)
  kNotFound,         // no operator, overload or device of that name
  kNoOverload,       // no overload of the operator takes the arguments of a call by name
  kNotImplemented,   // no kernel for this device and dtype
  kOutOfMemory,      // of the host or of a device, named in the text
  kUnavailable,      // a device or library is not there
  kBusy,             // cannot be done while something is in use
  kRegistration,     // a schema, operator or kernel was registered wrongly
  kInternal,         // a bug of ours
};
// "invalid argument", "not found": for messages.
SY_API std::string_view Name(ErrorCode code);

// The text lies beside that of the base, which stays empty: to make a std::runtime_error of a text
// takes memory and may throw.
class SY_API Error : public std::runtime_error {
 public:
  // The message begins with an operator's name of `op_size` characters and "(): ", if not 0. Where
  // memory is short the code becomes kOutOfMemory.
  Error(ErrorCode code, std::string message, uint32_t op_size = 0) noexcept;
  // kOutOfMemory, which takes no memory to say.
  static Error OutOfMemory() noexcept;
  // The whole message, with the operator's name; message() is the same as a string. Valid while any
  // copy of the Error lives.
  const char* what() const noexcept override { return text_->c_str(); }
  const std::string& message() const noexcept { return *text_; }
  ErrorCode code() const noexcept { return code_; }
  // The operator that failed, "add.out", and why; the message is "add.out(): why". Without an
  // operator, "" and the whole message.
  // Spans into the message, valid while the Error lives.
  std::string_view op() const noexcept { return std::string_view(*text_).substr(0, op_size_); }
  std::string_view reason() const noexcept {
    return std::string_view(*text_).substr(op_size_ == 0 ? 0 : op_size_ + 4);
  }

 private:
  Error() noexcept;
  std::shared_ptr<const std::string> text_;  // an exception's copy must not throw
  ErrorCode code_;
  uint32_t op_size_ = 0;
};

// One value of a message: text, a number, a list of sizes (printed "[2, 3]") or a dtype (printed by
// name). It borrows texts and lists, which live as long as the call that it is an argument of.
class Piece {
 public:
  // Made by itself from what a message is made of.
  Piece(std::string_view s) : kind_(kText), text_(s) {}
  Piece(const char* s) : Piece(std::string_view(s)) {}
  Piece(const std::string& s) : Piece(std::string_view(s)) {}
  template <std::same_as<bool> T>
  Piece(T b) : Piece(b ? "true" : "false") {}
  template <std::signed_integral T>
  Piece(T i) : kind_(kInt), int_(i) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Piece(T i) : kind_(kUInt), int_(static_cast<int64_t>(i)) {}
  Piece(double d) : kind_(kDouble), double_(d) {}
  Piece(std::span<const int64_t> l) : kind_(kList), list_(l) {}
  Piece(DType d) : kind_(kDType), int_(static_cast<int64_t>(d)) {}
  // In the program's own notation: no locale, numbers in the fewest digits.
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

// The pieces as one text. Errors: std::bad_alloc.
SY_API std::string Join(std::initializer_list<Piece> pieces);
// Throws an Error. With `op`, the name of the operator that failed, the message is "op(): why", and
// Error::op and reason are the two.
[[noreturn]] SY_API SY_COLD void Fail(ErrorCode code, std::string_view op,
                                      std::initializer_list<Piece> why);
[[noreturn]] SY_API SY_COLD void Fail(ErrorCode code, std::initializer_list<Piece> pieces);
[[noreturn]] SY_API SY_COLD void Fail(ErrorCode code, std::string message);

}  // namespace sy

#endif  // SWITCHYARD_CORE_ERROR_H_
