// What a replay found, by overload: counts, as a table and as JSON.
//
//   Report report;
//   report.Count("add.Tensor", Verdict::kPassed, /*fallback=*/false);
//   std::cout << report.Table();
//
// Threads: one at a time.
#ifndef TESTING_REPLAY_REPORT_H_
#define TESTING_REPLAY_REPORT_H_

#include <map>
#include <string>
#include <string_view>

#include "testing/replay/call.h"

namespace sy::replay {

struct Counts {
  int64_t passed = 0, failed = 0, missing = 0;
  // Of those that passed: something of them ran on the host, or nothing ran in any kernel.
  int64_t fallback = 0, no_kernel = 0;
  int64_t native() const { return passed - fallback - no_kernel; }
  int64_t total() const { return passed + failed + missing; }
};

class Report {
 public:
  // kernels: a kernel of the device was called, as far as that is known.
  void Count(std::string_view op, Verdict verdict, bool fallback = false, bool kernels = true);
  const Counts& total() const { return total_; }
  const std::map<std::string, Counts, std::less<>>& ops() const { return ops_; }
  // {"total", COUNTS, "ops": {overload: {COUNTS}}}, where COUNTS are "passed", "native", "fallback"
  // and "no_kernel" (which sum to it), "failed", "missing".
  std::string ToJson() const;
  // A line per overload, then the totals.
  std::string Table() const;

 private:
  Counts total_;
  std::map<std::string, Counts, std::less<>> ops_;
};

}  // namespace sy::replay

#endif  // TESTING_REPLAY_REPORT_H_
