#include "tools/replay/folder.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "switchyard/core/printing.h"
#include "tools/replay/gzip.h"
#include "tools/replay/types.h"

namespace sy::replay {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeed = 0;  // of the default generator before each recorded call

class FolderReplay {
 public:
  FolderReplay(const std::string& folder, const FolderOptions& options)
      : folder_(folder), options_(options) {}

  Report Run() {
    if (!fs::is_directory(folder_))
      Fail(ErrorCode::kNotFound, {"there is no folder '", folder_, "'"});
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    bool any = false;
    for (const std::string& name : names) any |= ReplayFile(name);
    if (!any) Fail(ErrorCode::kNotFound, {"there are no reference cases in '", folder_, "'"});
    return std::move(report_);
  }

 private:
  // False for a file that holds no cases.
  bool ReplayFile(const std::string& name) {
    if (name == "types.json") {
      if (Matches(options_.pattern, "types")) ReplayTypes();
      return true;
    }
    constexpr std::string_view kEnd = ".jsonl.gz";
    if (!name.ends_with(kEnd)) return false;
    const std::string stem = name.substr(0, name.size() - kEnd.size());
    const size_t dash = stem.find('-');
    if (dash == stem.npos) return false;
    const std::string kind = stem.substr(0, dash), number = stem.substr(dash + 1);
    if (kind != "cases" && kind != "random" && kind != "print") return false;
    if (kind != "cases" && !Matches(options_.pattern, kind)) return true;
    const std::string blob = (kind == "cases" ? "" : kind + "-") + "blob-" + number + ".bin.gz";
    blob_ = ReadGzip(folder_ + "/" + blob);
    file_ = name;
    line_ = 0;
    GzipLines lines(folder_ + "/" + name);
    for (std::string_view line; lines.Next(&line);) {
      ++line_;
      if (!line.empty()) ReplayLine(kind, Parse(line));
    }
    return true;
  }

  Json Parse(std::string_view line) const {
    Json j = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!j.is_object())
      Fail(ErrorCode::kInvalidArgument, {file_, ":", line_, ": not a JSON object"});
    return j;
  }

  void ReplayLine(std::string_view kind, const Json& j) {
    if (kind == "cases") {
      if (!Matches(options_.pattern, OpOf(j))) return;
      Note(OpOf(j), ReplayCall(j, blob_, options_.device, kSeed), &j);
    } else if (kind == "random") {
      ReplaySequence(j);
    } else {
      ReplayPrint(j);
    }
  }

  // On the host: elsewhere the text says where.
  void ReplayPrint(const Json& j) {
    const RecordedTensor r = ParseTensor(Json{{"t", j["t"]}}, blob_);
    const auto& expected = j["text"].get_ref<const std::string&>();
    const std::string got = ToString(Rebuild(r));
    report_.Count("print", got == expected ? Verdict::kPassed : Verdict::kFailed);
    if (got != expected) Show(Describe(r), "expected\n" + expected + "\ngot\n" + got);
  }

  void ReplaySequence(const Json& j) {
    SeedDefaultGenerator(options_.device, j["seed"].get<uint64_t>());
    for (const Json& call : j["calls"]) {
      const Outcome o = ReplayCall(call, blob_, options_.device, std::nullopt);
      if (o.verdict != Verdict::kPassed) return Note(OpOf(call), o, &call);
    }
    Note("random", {Verdict::kPassed, ""}, nullptr);
  }

  void ReplayTypes() {
    std::ifstream in(folder_ + "/types.json");
    const Json j = Json::parse(in, nullptr, /*allow_exceptions=*/false);
    if (!j.is_object()) Fail(ErrorCode::kInvalidArgument, {"types.json is no JSON object"});
    file_ = "types.json";
    line_ = 0;
    for (const TypeOutcome& o : CheckTypes(j)) {
      ++line_;
      report_.Count("types", o.why.empty() ? Verdict::kPassed : Verdict::kFailed);
      if (!o.why.empty()) Show(o.what, o.why);
    }
  }

  void Note(const std::string& op, const Outcome& o, const Json* call) {
    report_.Count(op, o.verdict);
    if (o.verdict == Verdict::kFailed) Show(DescribeCall(*call, blob_), o.why);
  }

  void Show(std::string_view what, std::string_view why) {
    if (options_.failures == nullptr) return;
    *options_.failures << "FAILED " << what << "\n  " << why << "\n  " << file_ << ":" << line_
                       << "\n";
  }

  const std::string& folder_;
  const FolderOptions& options_;
  Report report_;
  std::vector<char> blob_;
  std::string file_;
  int64_t line_ = 0;
};

}  // namespace

bool Matches(const std::string& pattern, std::string_view op) {
  if (pattern.empty()) return true;
  const std::string full(op), name(op.substr(0, op.find('.')));
  return fnmatch(pattern.c_str(), full.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

Report ReplayFolder(const std::string& folder, const FolderOptions& options) {
  return FolderReplay(folder, options).Run();
}

}  // namespace sy::replay
