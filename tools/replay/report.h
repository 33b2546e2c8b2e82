// What a replay found, by overload: counts, as a table and as JSON.
//
//   Report report;
//   report.Count("add.Tensor", Verdict::kPassed);
//   std::cout << report.Table();
//
// Threads: one at a time.
#ifndef TOOLS_REPLAY_REPORT_H_
#define TOOLS_REPLAY_REPORT_H_

#include <map>
#include <string>
#include <string_view>

#include "tools/replay/call.h"

namespace sy::replay {

struct Counts {
  int64_t passed = 0, failed = 0, missing = 0;
  int64_t total() const { return passed + failed + missing; }
};

class Report {
 public:
  void Count(std::string_view op, Verdict verdict, int64_t times = 1);
  const Counts& total() const { return total_; }
  const std::map<std::string, Counts, std::less<>>& ops() const { return ops_; }
  // {"total", "passed", "failed", "missing", "ops": {overload: {"passed", "failed", "missing"}}}
  std::string ToJson() const;
  // A line per overload, then the totals.
  std::string Table() const;

 private:
  Counts total_;
  std::map<std::string, Counts, std::less<>> ops_;
};

}  // namespace sy::replay

#endif  // TOOLS_REPLAY_REPORT_H_
