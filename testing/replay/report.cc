#include "testing/replay/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "third_party/fmt/format.h"

namespace sy::replay {
namespace {

void Add(Counts& c, Verdict verdict, bool fallback, bool kernels) {
  switch (verdict) {
    case Verdict::kPassed:
      ++c.passed;
      c.fallback += fallback ? 1 : 0;
      c.no_kernel += !fallback && !kernels ? 1 : 0;
      break;
    case Verdict::kFailed:
      ++c.failed;
      break;
    case Verdict::kMissing:
      ++c.missing;
      break;
  }
}

std::string Line(std::string_view name, size_t width, const Counts& c) {
  return fmt::format("{:<{}} {:>8} {:>8} {:>9} {:>8} {:>8}\n", name, width, c.native(), c.fallback,
                     c.no_kernel, c.failed, c.missing);
}

nlohmann::ordered_json CountsJson(const Counts& c) {
  return {{"passed", c.passed},       {"native", c.native()}, {"fallback", c.fallback},
          {"no_kernel", c.no_kernel}, {"failed", c.failed},   {"missing", c.missing}};
}

}  // namespace

void Report::Count(std::string_view op, Verdict verdict, bool fallback, bool kernels) {
  Add(total_, verdict, fallback, kernels);
  auto found = ops_.find(op);
  if (found == ops_.end()) found = ops_.emplace(op, Counts{}).first;
  Add(found->second, verdict, fallback, kernels);
}

std::string Report::ToJson() const {
  nlohmann::ordered_json j = {{"total", total_.total()}};
  j.update(CountsJson(total_));
  j["ops"] = nlohmann::ordered_json::object();
  for (const auto& [name, c] : ops_) j["ops"][name] = CountsJson(c);
  return j.dump(1) + "\n";
}

std::string Report::Table() const {
  size_t width = std::string_view("overload").size();
  for (const auto& [name, c] : ops_) width = std::max(width, name.size());
  std::string s = fmt::format("{:<{}} {:>8} {:>8} {:>9} {:>8} {:>8}\n", "overload", width, "native",
                              "fallback", "no kernel", "failed", "missing");
  for (const auto& [name, c] : ops_) s += Line(name, width, c);
  return s + Line("total", width, total_);
}

}  // namespace sy::replay
