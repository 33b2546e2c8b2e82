// switchyard conform: the conformance kit against a plugin's device.

#include <fnmatch.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "testing/conform/check.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"

namespace sy::command {
namespace {

constexpr int kSomethingFailed = 1;
constexpr double kLongestLimit = 1e6;  // seconds; in milliseconds it fits an int, as poll() takes

struct Options {
  conform::Subject subject;
  std::string pattern = "*", json;
  std::vector<std::string> known;  // "CHECK=REASON"
  bool list = false;
  double limit = 120;
};

struct Line {
  const conform::Check* check;
  conform::Outcome outcome;
};

struct Counts {
  int passed = 0, failed = 0, not_applicable = 0;
  void Add(conform::Verdict v) {
    ++(v == conform::Verdict::kPassed   ? passed
       : v == conform::Verdict::kFailed ? failed
                                        : not_applicable);
  }
};

std::vector<const conform::Check*> Chosen(const Options& o) {
  std::vector<const conform::Check*> chosen;
  for (const conform::Check* c : conform::AllChecks()) {
    if (fnmatch(o.pattern.c_str(), c->name, 0) == 0) chosen.push_back(c);
  }
  if (chosen.empty()) Fail(ErrorCode::kNotFound, {"no check matches '", o.pattern, "'"});
  return chosen;
}

struct Known {
  std::string pattern, reason;
};

std::vector<Known> KnownIn(const Options& o) {
  std::vector<Known> all;
  for (const std::string& known : o.known) {
    const size_t equals = known.find('=');
    if (equals == known.npos || equals + 1 == known.size())
      Fail(ErrorCode::kInvalidArgument, {"--known: expected CHECK=REASON, got '", known, "'"});
    all.push_back({known.substr(0, equals), known.substr(equals + 1)});
  }
  return all;
}

// What fails for a reason that the caller knows does not count, and must not pass.
conform::Outcome Judged(const conform::Check& check, conform::Outcome o,
                        const std::vector<Known>& all_known) {
  using conform::Verdict;
  for (const auto& [pattern, reason] : all_known) {
    if (fnmatch(pattern.c_str(), check.name, 0) != 0) continue;
    if (o.verdict == Verdict::kFailed) {
      o.verdict = Verdict::kNotApplicable;
      o.why = fmt::format("known ({}): {}", reason, o.why);
    } else if (o.verdict == Verdict::kPassed) {
      o.verdict = Verdict::kFailed;
      o.why = fmt::format("it passes, and is said to fail ({})", reason);
    }
  }
  return o;
}

// Of all checks together, by operator and dtype.
std::map<std::pair<std::string, std::string>, conform::Exercise> Exercised(
    const std::vector<Line>& lines) {
  std::map<std::pair<std::string, std::string>, conform::Exercise> all;
  for (const Line& l : lines) {
    for (const conform::Exercise& e : l.outcome.exercised) {
      conform::Exercise& sum =
          all.try_emplace({e.op, e.dtype}, conform::Exercise{e.op, e.dtype}).first->second;
      sum.calls += e.calls;
      sum.declined += e.declined;
      sum.second_run |= e.second_run;
    }
  }
  return all;
}

// "12 of 14 kernels × dtypes called; not called:", and a line for each operator with the dtypes in
// which it was not; nothing where no check knows of any.
void SayExercised(const std::vector<Line>& lines) {
  const auto all = Exercised(lines);
  if (all.empty()) return;
  size_t called = 0;
  std::map<std::string, std::string> others;  // dtypes by operator
  for (const auto& [key, e] : all) {
    if (e.calls > 0) {
      ++called;
      continue;
    }
    std::string& dtypes = others[e.op];
    dtypes += fmt::format("{}{}{}", dtypes.empty() ? "" : ", ", e.dtype,
                          e.declined > 0 ? " (declined)" : "");
  }
  std::cout << fmt::format("{} of {} kernels × dtypes called{}\n", called, all.size(),
                           others.empty() ? "" : "; not called:");
  for (const auto& [op, dtypes] : others) std::cout << fmt::format("  {}: {}\n", op, dtypes);
}

void WriteJson(const Options& o, const std::vector<Line>& lines, const Counts& counts) {
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const Line& l : lines) {
    checks.push_back({{"name", l.check->name},
                      {"what", l.check->what},
                      {"verdict", conform::Name(l.outcome.verdict)},
                      {"why", l.outcome.why}});
  }
  nlohmann::ordered_json exercised = nlohmann::ordered_json::array();
  for (const auto& [key, e] : Exercised(lines)) {
    exercised.push_back({{"operator", e.op},
                         {"dtype", e.dtype},
                         {"calls", e.calls},
                         {"declined", e.declined},
                         {"measured_by", e.calls == 0   ? "nothing"
                                         : e.second_run ? "second run"
                                                        : "reference"}});
  }
  const nlohmann::ordered_json report = {
      {"plugin", o.subject.plugin},       {"device", o.subject.device},
      {"passed", counts.passed},          {"failed", counts.failed},
      {"n/a", counts.not_applicable},     {"checks", std::move(checks)},
      {"exercised", std::move(exercised)}};
  // Reasons may hold whatever bytes a plugin wrote.
  WriteText(o.json,
            report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::string Absolute(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

int Conform(Options& o) {
  constexpr int kNameWidth = 30;
  if (o.list) {
    for (const conform::Check* c : Chosen(o))
      std::cout << fmt::format("{:<{}} {}\n", c->name, kNameWidth, c->what);
    return 0;
  }
  if (o.subject.plugin.empty() || o.subject.device.empty())
    Fail(ErrorCode::kInvalidArgument, "conform needs --plugin FILE and --device NAME");
  o.subject.plugin = Absolute(o.subject.plugin);
  o.subject.other = Absolute(o.subject.other);
  o.subject.reference = Absolute(o.subject.reference);
  if (!std::filesystem::exists(o.subject.plugin))
    Fail(ErrorCode::kNotFound, {"there is no file '", o.subject.plugin, "'"});
  SetLogLevel(LogLevel::kError);
  const auto limit = std::chrono::milliseconds(std::llround(o.limit * 1e3));
  const std::vector<const conform::Check*> chosen = Chosen(o);
  const std::vector<Known> known = KnownIn(o);
  std::vector<Line> lines;
  Counts counts;
  for (const conform::Check* c : chosen) {
    std::cout << std::flush;  // or a child prints it again
    lines.push_back({c, Judged(*c, conform::RunApart(*c, o.subject, limit), known)});
    const conform::Outcome& outcome = lines.back().outcome;
    counts.Add(outcome.verdict);
    std::cout << fmt::format("{:<{}} {:<4} {}\n", c->name, kNameWidth,
                             conform::Name(outcome.verdict), outcome.why);
  }
  std::cout << fmt::format("{} passed, {} failed, {} not applicable\n", counts.passed,
                           counts.failed, counts.not_applicable);
  SayExercised(lines);
  if (!o.json.empty()) WriteJson(o, lines, counts);
  return counts.failed == 0 ? 0 : kSomethingFailed;
}

}  // namespace

void AddConform(CLI::App& app, int* status) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("conform", "Check a plugin's device, beyond replaying values");
  c->add_option("--plugin", o->subject.plugin, "The plugin's object");
  c->add_option("--device", o->subject.device, "A device of the plugin's");
  c->add_option("--with", o->subject.other, "A second plugin, to exchange tensors with");
  c->add_option("--fail", o->subject.fail,
                "An operator of one tensor whose work, queued on the device, fails later");
  c->add_option("--reference", o->subject.reference,
                "A plugin whose cpu kernels say what the plugin's own operators give");
  c->add_option("--skip", o->subject.skip,
                "Operators of the plugin's own that are not called, as patterns; behind an '@' a\n"
                "pattern of the checks that do not: 'mydevice::*@operators.edges'")
      ->delimiter(',');
  c->add_option("--draws", o->subject.draws, "Calls at random of each kernel and dtype")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  c->add_option("--seed", o->subject.seed, "Of what is drawn")->capture_default_str();
  c->add_option(
       "--driver", o->subject.driver,
       "Functions of the plugin's driver, as patterns, and what they answer where they are\n"
       "refused: 'cuMemAlloc*=2', or, with a code written to the int whose address is the\n"
       "fifth argument, 'clCreateBuffer=0@5:-4'")
      ->delimiter(',');
  c->add_option("--places", o->subject.places,
                "At how many places each kind of fault is tried; 0: at every one")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  c->add_option("--lose", o->subject.lose, "An operator of one tensor that loses the device");
  c->add_option("--check", o->pattern, "Only checks that match, as shells match: 'memory.*'")
      ->capture_default_str();
  c->add_option(
      "--known", o->known,
      "A check that fails for a reason of somebody else's, 'hygiene.threads=the driver keeps\n"
      "its threads': it does not count then, and must not pass");
  c->add_option("--cycles", o->subject.cycles, "How often the plugin is loaded and unloaded")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  c->add_flag("--large", o->subject.large, "Also checks that take gigabytes");
  c->add_option("--limit", o->limit, "Seconds a check may take")
      ->check(CLI::Range(0.001, kLongestLimit))
      ->capture_default_str();
  c->add_option("--json", o->json, "File for the outcome as JSON");
  c->add_flag("--list", o->list, "Say what the checks are, and run none");
  c->callback([o, status] { *status = Conform(*o); });
}

}  // namespace sy::command
