#include "tests/faults/fuzz/time_limit.h"

#include <csignal>

#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {

TimeLimit::TimeLimit(std::chrono::milliseconds limit) {
  constexpr int kSignal = SIGPROF;  // libFuzzer leaves it alone
  std::signal(kSignal, [](int) { Break("no end within its processor time"); });
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kSignal;
  itimerspec time = {};
  time.it_value = {.tv_sec = limit.count() / 1000, .tv_nsec = limit.count() % 1000 * 1'000'000};
  if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) != 0 ||
      timer_settime(timer_, 0, &time, nullptr) != 0)
    Break("the system has no timer");
}
TimeLimit::~TimeLimit() { timer_delete(timer_); }

}  // namespace sy::fuzz
