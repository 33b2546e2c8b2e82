// Programs that a test runs, and what they write.
// Owns: nothing. Threads: one at a time.
#ifndef TESTS_COLLECTIVE_SHELL_H_
#define TESTS_COLLECTIVE_SHELL_H_

#include <chrono>
#include <string>

namespace sy::collective {

struct Ended {
  int status;        // -1: by a signal
  std::string text;  // both streams
  std::chrono::steady_clock::duration took;
};
// Runs a line of sh's, and waits for its end and for those who hold its streams.
Ended Shell(const std::string& command);
// SWITCHYARD_ENGINE_PATH and the like for what stands behind it, in a test's runfiles.
std::string Environment();
// How often it is in the text.
int Count(const std::string& text, const std::string& what);

}  // namespace sy::collective

#endif  // TESTS_COLLECTIVE_SHELL_H_
