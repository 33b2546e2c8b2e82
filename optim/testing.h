// For the tests of this folder.
//
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OPTIM_TESTING_H_
#define SWITCHYARD_OPTIM_TESTING_H_

#include <functional>
#include <string>

#include "switchyard/core/error.h"

namespace sy::optim {

// What f says is wrong; "no error" where it says nothing.
inline std::string MessageOf(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_TESTING_H_
