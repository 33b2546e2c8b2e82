#include "tests/faults/memory/cases.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "switchyard/core/error.h"
#include "tools/replay/call.h"
#include "tools/replay/gzip.h"

namespace sy::testing {

bool IsLongRun() { return std::getenv("SWITCHYARD_LONG") != nullptr; }

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
  for (const char* number : {"0", "1"}) {
    const std::string folder = "tests/conformance/data/opinfo/";
    blobs_.push_back(replay::ReadGzip(folder + "blob-" + number + ".bin.gz"));
    replay::GzipLines lines(folder + "cases-" + number + ".jsonl.gz");
    for (std::string_view line; lines.Next(&line);) {
      if (line.empty()) continue;
      replay::Json call = replay::Json::parse(line);
      if (call.contains("error")) continue;
      std::string op = replay::OpOf(call);
      if (!seen.insert(op).second) continue;
      std::string schema = call.at("schema").get<std::string>();
      if (schema.starts_with("aten::")) schema.erase(0, 6);
      cases_.push_back({std::move(op), std::move(schema), std::move(call), blobs_.back(),
                        OperatorDef{.schema = SchemaText::Of("")}});
    }
  }
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
