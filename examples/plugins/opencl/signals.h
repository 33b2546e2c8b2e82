// Drivers that compile in the process (PoCL, by way of LLVM) catch its signals, SIGINT and SIGSEGV
// among them. Those are the program's: what was set before comes back.
//
//   const SignalGuard guard;      around calls in which a driver may do that: its first use, builds
//
// Threads: any; a handler that another thread sets meanwhile is lost.
#ifndef OPENCL_SIGNALS_H_
#define OPENCL_SIGNALS_H_

#include <signal.h>

namespace opencl {

class SignalGuard {
 public:
  SignalGuard() {
    for (int s = 1; s < kEnd; ++s) sigaction(s, nullptr, &before_[s]);
  }
  ~SignalGuard() {
    for (int s = 1; s < kEnd; ++s) {
      struct sigaction now;
      if (sigaction(s, nullptr, &now) == 0 && now.sa_sigaction != before_[s].sa_sigaction)
        sigaction(s, &before_[s], nullptr);
    }
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr int kEnd = 32;  // past the signals that have names; SIGRTMIN is the C library's
  struct sigaction before_[kEnd];
};

}  // namespace opencl

#endif  // OPENCL_SIGNALS_H_
