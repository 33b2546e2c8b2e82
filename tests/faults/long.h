// Whether a suite runs in its long form: SWITCHYARD_LONG=1, hours where it takes seconds.
//
//   const int times = IsLong() ? 300 : 8;
//
// Threads: any.
#ifndef TESTS_FAULTS_LONG_H_
#define TESTS_FAULTS_LONG_H_

#include <cstdlib>
#include <string_view>

namespace sy::testing {

inline bool IsLong() {
  const char* const set = std::getenv("SWITCHYARD_LONG");
  return set != nullptr && std::string_view(set) == "1";
}

}  // namespace sy::testing

#endif  // TESTS_FAULTS_LONG_H_
