// What is said of a signal that ends the command: in which library, and during what.
//
//   ReportCrashes();
//   const During call("the call of add on toy");
//   → switchyard: SIGSEGV in /opt/toy/libtoy.so, during the call of add on toy
//
// The library is the innermost one on the stack that was not there when the command began: a
// plugin's. The process then ends by the same signal.
// Owns: nothing. Threads: During is the main thread's; a signal may come in any.
#ifndef TOOLS_COMMAND_CRASH_H_
#define TOOLS_COMMAND_CRASH_H_

#include <string>
#include <string_view>

namespace sy::command {

// From here on. Libraries that are loaded later are plugins'.
void ReportCrashes();

// What the main thread does while it lives. It nests.
class During {
 public:
  explicit During(std::string_view what);
  ~During();
  During(const During&) = delete;

 private:
  std::string before_;
};

}  // namespace sy::command

#endif  // TOOLS_COMMAND_CRASH_H_
