// Compares texts, and says so.
//
//   Checker check;
//   check("add", sy::ToString(sum), "tensor([2., 2.])");
//   return check.status();
//
// Owns: nothing. Threads: one. Errors: none; a difference is printed and counted.
#ifndef DEMO_CHECKING_H_
#define DEMO_CHECKING_H_

#include <iostream>
#include <string_view>

namespace demo {

class Checker {
 public:
  void operator()(std::string_view what, std::string_view got, std::string_view expected) {
    const bool same = got == expected;
    std::cout << (same ? "ok     " : "FAILED ") << what << ": " << got << "\n";
    if (!same) std::cout << "       expected: " << expected << "\n";
    failures_ += same ? 0 : 1;
  }
  int status() const { return failures_ == 0 ? 0 : 1; }  // of main

 private:
  int failures_ = 0;
};

}  // namespace demo

#endif  // DEMO_CHECKING_H_
