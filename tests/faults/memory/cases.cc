#include "tests/faults/memory/cases.h"

#include <algorithm>
#include <set>

#include "switchyard/core/error.h"
#include "testing/replay/call.h"
#include "tests/faults/recorded/recorded.h"

namespace sy::testing {

Cases::Cases(size_t n) {
  Read();
  const size_t all = cases_.size();
  std::deque<Case> chosen;
  for (size_t i = 0; i < all; ++i) {
    if (i * n / all != (i + 1) * n / all) chosen.push_back(std::move(cases_[i]));
  }
  cases_ = std::move(chosen);
  Prepare();
}

Cases::Cases(const std::vector<std::string>& ops) {
  Read();
  std::deque<Case> chosen;
  for (const std::string& op : ops) {
    const auto found =
        std::find_if(cases_.begin(), cases_.end(), [&](const Case& c) { return c.op == op; });
    if (found == cases_.end()) Fail(ErrorCode::kNotFound, {"no recorded call of ", op});
    chosen.push_back(*found);
  }
  cases_ = std::move(chosen);
  Prepare();
}

void Cases::Read() {
  std::set<std::string> seen;
  ForEachLine({"opinfo"}, [&](RecordedLine& line) {
    if (line.call.contains("error")) return;
    std::string op = replay::OpOf(line.call);
    if (!seen.insert(op).second) return;
    std::string schema = line.call.at("schema").get<std::string>();
    if (schema.starts_with("aten::")) schema.erase(0, 6);
    if (schema.find("str[1] dim") != schema.npos) return;  // names that were recorded as numbers
    if (bytes_.empty() || bytes_.back() != line.bytes) bytes_.push_back(line.bytes);
    cases_.push_back({std::move(op), std::move(schema), std::move(line.call), *line.bytes,
                      OperatorDef{.schema = SchemaText::Of("")}});
  });
  std::sort(cases_.begin(), cases_.end(), [](const Case& a, const Case& b) { return a.op < b.op; });
}

void Cases::Prepare() {
  for (Case& c : cases_) {
    c.def = {.schema = SchemaText::Of(c.schema), .file = "recorded"};
    registry_.Add(c.def);
    registry_.Find(c.op);
  }
}

std::unique_ptr<replay::Arguments> Cases::Make(const Case& c) {
  static const replay::Json none = replay::Json::object();
  const auto keywords = c.call.find("kwargs");
  return std::make_unique<replay::Arguments>(*registry_.Find(c.op), c.call.at("args"),
                                             keywords == c.call.end() ? none : *keywords, c.blob,
                                             Device{kHost});
}

}  // namespace sy::testing
