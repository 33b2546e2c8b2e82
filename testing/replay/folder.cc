#include "testing/replay/folder.h"

#include <fnmatch.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/printing.h"
#include "testing/replay/gzip.h"
#include "testing/replay/numbers.h"
#include "testing/replay/sink.h"
#include "testing/replay/types.h"
#include "third_party/fmt/format.h"

namespace sy::replay {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeed = 0;  // of the default generator before each recorded call

// Tells a sink of a folder's cases, of which the first `skip` are left out.
class FolderReplay {
 public:
  FolderReplay(const std::string& folder, const FolderOptions& options, Sink& sink, int64_t skip)
      : folder_(folder),
        options_(options),
        device_(options.open ? options.open() : options.device),
        kernel_calls_(options.kernel_calls == nullptr ? nullptr : options.kernel_calls(device_)),
        sink_(sink),
        skip_(skip) {}

  void Run() {
    if (!fs::is_directory(folder_))
      Fail(ErrorCode::kNotFound, {"there is no folder '", folder_, "'"});
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    bool any = false;
    for (const std::string& name : names) any |= ReplayFile(name);
    if (!any) Fail(ErrorCode::kNotFound, {"there are no reference cases in '", folder_, "'"});
  }

  // Cases of a folder, of which none is replayed.
  static int64_t CountCases(const std::string& folder, Sink& unused) {
    const FolderOptions all{.device = Device{kHost}};
    FolderReplay replay(folder, all, unused, INT64_MAX);
    replay.Run();
    return INT64_MAX - replay.skip_;
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
    const bool gradients = kind == "grad" && options_.gradients != nullptr;
    if (kind != "cases" && kind != "random" && kind != "print" && !gradients) return false;
    if (kind != "cases" && !gradients && !Matches(options_.pattern, kind)) return true;
    const std::string blob = (kind == "cases" ? "" : kind + "-") + "blob-" + number + ".bin.gz";
    blob_ = ReadGzip(folder_ + "/" + blob);
    file_ = name;
    line_ = 0;
    GzipLines lines(folder_ + "/" + name);
    for (std::string_view line; lines.Next(&line);) {
      ++line_;
      if (!line.empty()) ReplayLine(kind, line);
    }
    return true;
  }

  void ReplayLine(std::string_view kind, std::string_view line) {
    try {
      const Json j = ParseObject(line);
      if (kind == "cases") {
        ReplayOne(j);
      } else if (kind == "grad") {
        ReplayGradient(j);
      } else if (kind == "random") {
        ReplaySequence(j);
      } else {
        ReplayPrint(j);
      }
    } catch (const Malformed& e) {
      Fail(e.code(), {Place(), ": ", e.message()});
    } catch (const Json::exception& e) {
      Fail(ErrorCode::kInvalidArgument, {Place(), ": malformed: ", e.what()});
    }
  }

  std::string Place() const { return fmt::format("{}:{}", file_, line_); }

  // False for a case to leave out.
  bool Begin(std::string_view op) {
    if (options_.each > 0 && ++begun_[std::string(op)] > options_.each) return false;
    if (skip_ > 0) return --skip_, false;
    sink_.Begin(op, Place());
    return true;
  }

  void ReplayOne(const Json& call) {
    const std::string op = OpOf(call);
    if (!Matches(options_.pattern, op) || !Begin(op)) return;
    End(call, ReplayCall(call, blob_, device_, kSeed, kernel_calls_));
  }

  void ReplayGradient(const Json& call) {
    const std::string op = OpOf(call);
    if (!Matches(options_.pattern, op) || !Begin(op)) return;
    End(call, options_.gradients(call, blob_, device_));
  }

  void End(const Json& call, const Outcome& o) {
    const bool failed = o.verdict == Verdict::kFailed;
    const std::string what = failed ? DescribeCall(call, blob_) : "";
    sink_.End(OpOf(call), {o.verdict, o.fallback, o.kernels, what, o.why});
    if (failed) LookAfterDevice();
  }
  // What a case has queued and left is its own, and a device may be lost by it.
  void LookAfterDevice() {
    try {
      Synchronize(device_);
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kUnavailable) sink_.Lost();
    }
  }

  // Passes with every call, or fails, or is missing, with the first that does not pass.
  void ReplaySequence(const Json& j) {
    if (!Begin("random")) return;
    SeedDefaultGenerator(device_, j.at("seed").get<uint64_t>());
    bool fallback = false, kernels = false;
    for (const Json& call : j.at("calls")) {
      const Outcome o = ReplayCall(call, blob_, device_, std::nullopt, kernel_calls_);
      if (o.verdict != Verdict::kPassed) return End(call, o);
      fallback |= o.fallback;
      kernels |= o.kernels;
    }
    sink_.End("random", {.fallback = fallback, .kernels = kernels});
  }

  // On the host: elsewhere the text says where.
  void ReplayPrint(const Json& j) {
    if (!Begin("print")) return;
    const RecordedTensor r = ParseTensor(Json{{"t", j.at("t")}}, blob_);
    const auto& expected = j.at("text").get_ref<const std::string&>();
    const std::string got = ToString(Rebuild(r));
    const bool kernels = kernel_calls_ == nullptr;  // that counts none
    if (got == expected) return sink_.End("print", {.kernels = kernels});
    const std::string what = Describe(r), why = "expected\n" + expected + "\ngot\n" + got;
    sink_.End("print", {.verdict = Verdict::kFailed, .what = what, .why = why});
  }

  void ReplayTypes() {
    std::ifstream in(folder_ + "/types.json");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    file_ = "types.json";
    line_ = 0;
    try {
      for (const TypeOutcome& o : CheckTypes(ParseObject(text))) {
        ++line_;
        if (!Begin("types")) continue;
        const Verdict verdict = o.why.empty() ? Verdict::kPassed : Verdict::kFailed;
        const bool kernels = kernel_calls_ == nullptr;
        sink_.End("types", {.verdict = verdict, .kernels = kernels, .what = o.what, .why = o.why});
      }
    } catch (const Error& e) {
      Fail(e.code(), {"types.json: ", e.message()});
    } catch (const Json::exception& e) {
      Fail(ErrorCode::kInvalidArgument, {"types.json: malformed: ", e.what()});
    }
  }

  const std::string& folder_;
  const FolderOptions& options_;
  const Device device_;
  const KernelCalls kernel_calls_;
  Sink& sink_;
  int64_t skip_;
  std::map<std::string, int64_t> begun_;  // cases by overload, counted where few of each are wanted
  std::vector<char> blob_;
  std::string file_;
  int64_t line_ = 0;
};

// Counts, and shows what failed.
class ReportSink : public Sink {
 public:
  explicit ReportSink(std::ostream* failures) : failures_(failures) {}

  void Begin(std::string_view, std::string_view place) override { place_ = place; }
  void End(std::string_view op, const Ending& e) override {
    report_.Count(op, e.verdict, e.fallback, e.kernels);
    if (e.verdict != Verdict::kFailed || failures_ == nullptr) return;
    *failures_ << "FAILED " << e.what << "\n  " << e.why << "\n  " << place_ << "\n";
  }
  Report& report() { return report_; }

 private:
  std::ostream* failures_;
  std::string place_;
  Report report_;
};

}  // namespace

bool Matches(const std::string& pattern, std::string_view op) {
  if (pattern.empty()) return true;
  const std::string full(op), name(op.substr(0, op.find('.')));
  return fnmatch(pattern.c_str(), full.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

Report ReplayFolder(const std::string& folder, const FolderOptions& options) {
  ReportSink sink(options.failures);
  const auto replay = [&](Sink& to, int64_t skip) {
    FolderReplay(folder, options, to, skip).Run();
  };
  if (options.limit) {
    ReplayApart(replay, sink, *options.limit);
  } else {
    replay(sink, 0);
  }
  if (!options.pattern.empty() && sink.report().total().total() == 0) {
    Fail(ErrorCode::kNotFound,
         {"none of the ", FolderReplay::CountCases(folder, sink), " cases in '", folder,
          "' is of an operator that matches '", options.pattern, "'"});
  }
  return std::move(sink.report());
}

}  // namespace sy::replay
