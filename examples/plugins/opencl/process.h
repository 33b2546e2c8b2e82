// What a driver changes in the process that is the program's: PoCL compiles here, by way of LLVM,
// which catches signals, SIGINT and SIGSEGV among them, and sets variables of the environment for
// hwloc. What was there before comes back.
//
//   const ProcessGuard guard;     around calls in which a driver may do that: its first use, builds
//
// Owns: copies of what was there.
// Threads: any; what another thread sets meanwhile is lost.
// Errors: the constructor throws std::bad_alloc.
#ifndef OPENCL_PROCESS_H_
#define OPENCL_PROCESS_H_

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

namespace opencl {

class ProcessGuard {
 public:
  ProcessGuard() : new_handler_(std::get_new_handler()) {
    for (int s = 1; s < kEnd; ++s) sigaction(s, nullptr, &signals_[s]);
    for (char** variable = environ; *variable != nullptr; ++variable)
      variables_.emplace_back(*variable);
  }
  ~ProcessGuard() {
    for (int s = 1; s < kEnd; ++s) {
      struct sigaction now;
      if (sigaction(s, nullptr, &now) == 0 && now.sa_sigaction != signals_[s].sa_sigaction)
        sigaction(s, &signals_[s], nullptr);
    }
    std::set_new_handler(new_handler_);
    try {
      RestoreVariables();
    } catch (const std::bad_alloc&) {  // they stay as the driver has left them
    }
  }
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;

 private:
  static constexpr int kEnd = 32;  // past the signals that have names; SIGRTMIN is the C library's

  static std::string NameOf(const std::string& variable) {
    return variable.substr(0, variable.find('='));
  }
  void RestoreVariables() const {
    std::vector<std::string> others;  // that were not there, or were not so
    for (char** variable = environ; *variable != nullptr; ++variable) {
      if (std::find(variables_.begin(), variables_.end(), *variable) == variables_.end())
        others.emplace_back(*variable);
    }
    for (const std::string& other : others) {
      const std::string name = NameOf(other);
      const auto before = std::find_if(variables_.begin(), variables_.end(),
                                       [&](const std::string& v) { return NameOf(v) == name; });
      if (before == variables_.end()) {
        unsetenv(name.c_str());
      } else {
        setenv(name.c_str(), before->c_str() + name.size() + 1, 1);
      }
    }
  }

  struct sigaction signals_[kEnd];
  const std::new_handler new_handler_;
  std::vector<std::string> variables_;
};

}  // namespace opencl

#endif  // OPENCL_PROCESS_H_
