// A piece of a test in a process of its own.
//
//   EXPECT_EQ(InChild([] { …; return std::string(); }), "");
//
// Threads: a fork takes along the calling one alone.
#ifndef TESTS_FAULTS_CHILD_H_
#define TESTS_FAULTS_CHILD_H_

#include <absl/functional/function_ref.h>

#include <string>

namespace sy::testing {

// What it returned, or how it ended instead: "killed by signal 11 (Segmentation fault)". seconds:
// how long it may take.
std::string InChild(absl::FunctionRef<std::string()> run, unsigned seconds = 60);

}  // namespace sy::testing

#endif  // TESTS_FAULTS_CHILD_H_
