// What calls throw, for tests.
//
//   EXPECT_EQ(MessageOf([&] { add(x, y); }), "add(): sizes [2] and [3] do not broadcast");
//   EXPECT_EQ(CodeOf([&] { mm(a, b); }), ErrorCode::kInvalidArgument);
//   EXPECT_EQ(ErrorOf([&] { fill_(x, 1); }), "busy: fill_(): x is written elsewhere");
//
// What is thrown and is no Error passes through.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_CORE_TESTING_H_
#define SWITCHYARD_CORE_TESTING_H_

#include <string>

#include "switchyard/core/error.h"

namespace sy {

// Where nothing is thrown, the code is kOk and the message "nothing was thrown".
template <class F>
Error Thrown(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorCode::kOk, "nothing was thrown");
}
template <class F>
ErrorCode CodeOf(const F& f) {
  return Thrown(f).code();
}
template <class F>
std::string MessageOf(const F& f) {
  return Thrown(f).message();
}
// Both: "invalid argument: add(): …".
template <class F>
std::string ErrorOf(const F& f) {
  const Error e = Thrown(f);
  return e.code() == ErrorCode::kOk ? e.message()
                                    : std::string(Name(e.code())) + ": " + e.message();
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_TESTING_H_
