// Time that is short while one of these lives: what takes more of the processor breaks the rules.
//
//   const TimeLimit scope(std::chrono::seconds(10));
//
// The thread's processor time counts, so that a busy machine makes nobody late; what waits without
// end is not seen.
// Owns: a timer.
// Threads: each its own.
#ifndef TESTS_FAULTS_FUZZ_TIME_LIMIT_H_
#define TESTS_FAULTS_FUZZ_TIME_LIMIT_H_

#include <time.h>

#include <chrono>

namespace sy::fuzz {

class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  timer_t timer_;
};

}  // namespace sy::fuzz

#endif  // TESTS_FAULTS_FUZZ_TIME_LIMIT_H_
