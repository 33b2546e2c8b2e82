// Between the ABI's structs and ours: sizes, errors, codes.
//
//   ErrorText e;
//   Check(functions.copy(device, &copy, stream, e.abi()), e, {"toy: copy to the host"});
//   const SyKernelDef k = ReadStruct(given, SY_MIN_SyKernelDef);
//
// Owns: an ErrorText its bytes. Threads: any.
#ifndef PLUGIN_ABI_H_
#define PLUGIN_ABI_H_

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include "switchyard/c/plugin.h"
#include "switchyard/core/error.h"

namespace sy::plugin {

// Room for the text of one error; what is written into it need not end.
class ErrorText {
 public:
  ErrorText() : error_{sizeof(SyError), kBytes, text_} { text_[0] = '\0'; }
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;
  SyError* abi() { return &error_; }
  std::string_view text() const { return {text_, strnlen(text_, kBytes)}; }

 private:
  static constexpr uint32_t kBytes = 512;
  SyError error_;
  char text_[kBytes];  // uninitialised past the first byte: calls that succeed write nothing
};

// Writes text that the other side asked for; nothing where it gave no room.
inline void WriteText(SyError* error, std::string_view text) {
  if (error == nullptr || error->text == nullptr || error->capacity == 0) return;
  const size_t n = std::min<size_t>(text.size(), error->capacity - 1);
  std::memcpy(error->text, text.data(), n);
  error->text[n] = '\0';
}

ErrorCode FromAbi(int32_t code);
int32_t ToAbi(ErrorCode code);
// "out of memory", for codes without text.
std::string_view NameOfAbi(int32_t code);

// Throws what a callback answered, with `where` in front.
[[noreturn]] SY_COLD void FailAbi(int32_t code, std::string_view text, std::string_view where);
// The same of an operator. where: may be empty.
[[noreturn]] SY_COLD void FailAbiOf(std::string_view op, int32_t code, std::string_view text,
                                    std::string_view where);
inline void Check(int32_t code, const ErrorText& error, std::initializer_list<Piece> where) {
  if (code != SY_OK) [[unlikely]]
    FailAbi(code, error.text(), Join(where));
}

// What is being thrown now, as a code, its text written to *error.
int32_t CatchAbi(SyError* error) noexcept;

// Runs f; what it throws becomes a code, its text goes to *error.
template <class F>
int32_t Guarded(SyError* error, F f) noexcept {
  try {
    f();
    return SY_OK;
  } catch (...) {
    return CatchAbi(error);
  }
}

// A copy of a struct that somebody else has filled: what it did not know is zero.
template <class T>
T ReadStruct(const void* given, uint32_t least, std::string_view what) {
  uint32_t size = 0;
  std::memcpy(&size, given, sizeof(size));
  if (size < least) {
    Fail(ErrorCode::kRegistration,
         {what, " says that it has ", size, " bytes, expected at least ", least});
  }
  T out;
  std::memset(&out, 0, sizeof(out));
  std::memcpy(&out, given, std::min<size_t>(size, sizeof(out)));
  return out;
}

}  // namespace sy::plugin

#endif  // PLUGIN_ABI_H_
