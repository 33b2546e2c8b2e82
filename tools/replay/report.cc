#include "tools/replay/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sy::replay {
namespace {

void Add(Counts& c, Verdict verdict, int64_t times) {
  switch (verdict) {
    case Verdict::kPassed:
      c.passed += times;
      break;
    case Verdict::kFailed:
      c.failed += times;
      break;
    case Verdict::kMissing:
      c.missing += times;
      break;
  }
}

std::string Line(std::string_view name, size_t width, const Counts& c) {
  return fmt::format("{:<{}} {:>8} {:>8} {:>8}\n", name, width, c.passed, c.failed, c.missing);
}

}  // namespace

void Report::Count(std::string_view op, Verdict verdict, int64_t times) {
  Add(total_, verdict, times);
  auto found = ops_.find(op);
  if (found == ops_.end()) found = ops_.emplace(op, Counts{}).first;
  Add(found->second, verdict, times);
}

std::string Report::ToJson() const {
  nlohmann::ordered_json j = {{"total", total_.total()},
                              {"passed", total_.passed},
                              {"failed", total_.failed},
                              {"missing", total_.missing},
                              {"ops", nlohmann::ordered_json::object()}};
  for (const auto& [name, c] : ops_)
    j["ops"][name] = {{"passed", c.passed}, {"failed", c.failed}, {"missing", c.missing}};
  return j.dump(1) + "\n";
}

std::string Report::Table() const {
  size_t width = std::string_view("overload").size();
  for (const auto& [name, c] : ops_) width = std::max(width, name.size());
  std::string s =
      fmt::format("{:<{}} {:>8} {:>8} {:>8}\n", "overload", width, "passed", "failed", "missing");
  for (const auto& [name, c] : ops_) s += Line(name, width, c);
  return s + Line("total", width, total_);
}

}  // namespace sy::replay
