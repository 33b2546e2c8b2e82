#include "testing/conform/measure.h"

#include <absl/functional/function_ref.h>

#include <algorithm>

#include "switchyard/core/accelerator.h"

namespace sy::conform {
namespace {

int64_t NumDeclined(const Session& s) {
  for (const PluginInfo& p : loaded_plugins()) {
    if (p.name == s.plugin().name) return p.declined;
  }
  return 0;
}

// Sizes and dtypes alone.
std::string DifferInForm(const std::vector<Tensor>& got, const std::vector<Tensor>& expected) {
  if (got.size() != expected.size()) return Join({expected.size(), " results are ", got.size()});
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].dtype() != expected[i].dtype() ||
        !std::ranges::equal(got[i].sizes(), expected[i].sizes())) {
      return Join({"expected ", Describe(expected[i]), ", got ", Describe(got[i])});
    }
  }
  return "";
}

// Late failures are told when results are read.
std::string WithLateFailures(absl::FunctionRef<std::string()> compare) {
  try {
    return compare();
  } catch (const Error& e) {
    return Join({"it fails later: ", e.message()});
  }
}

}  // namespace

HostAnswer AskHost(const DrawnCall& call) {
  HostAnswer answer;
  if (!call.complete) return answer;
  const MadeCall made(call, nullptr);
  answer.given = Try(*call.op, made.values());
  answer.kind = !answer.given.threw      ? HostAnswer::kGives
                : Declined(answer.given) ? HostAnswer::kHasNoKernel
                                         : HostAnswer::kRefuses;
  return answer;
}

std::string Disagree(const Session& s, const OperatorEntry& op, std::span<const Value> arguments,
                     const std::vector<Tensor>& got, const std::vector<Tensor>& expected) {
  if (std::string why = DifferInForm(got, expected); !why.empty()) return why;
  const replay::Comparison how = replay::ComparisonOf(op, arguments);
  const bool first_alone = how == replay::Comparison::kTies;
  if (how != replay::Comparison::kValues && !first_alone) return "";
  for (size_t i = 0; i < (first_alone ? 1 : got.size()); ++i) {
    if (!expected[i].defined()) continue;
    const replay::Tolerance least =
        replay::LeastTolerance(op.name(), expected[i].dtype(), s.device());
    if (std::string why = Differ({got[i]}, {expected[i]}, least); !why.empty())
      return got.size() == 1 ? why : Join({"result ", i, ": ", why});
  }
  return "";
}

Given Measure::Run(const OperatorEntry& op, std::span<const Value> values) {
  const int64_t before = NumDeclined(s_);
  Given given = Try(op, values);
  declined_ = Declined(given) || NumDeclined(s_) != before;
  return given;
}

Taken Measure::Take(const DrawnCall& call, const OperatorEntry* form) {
  if (!call.complete) return Taken::kRefused;
  SayCalled(call.str());
  if (form != nullptr) return AgainstHost(call, *form);
  const HostAnswer answer = AskHost(call);
  if (answer.kind == HostAnswer::kRefuses) return Taken::kRefused;
  return answer.kind == HostAnswer::kGives ? AgainstHost(call, *call.op) : AgainstItself(call);
}

Taken Measure::AgainstHost(const DrawnCall& call, const OperatorEntry& form) {
  MadeCall host(call, nullptr), there(call, &s_);
  if (form.schema().arguments.size() > call.arguments.size()) {
    const HostAnswer plain = AskHost(call);
    if (plain.kind != HostAnswer::kGives) return Taken::kRefused;
    constexpr uint64_t kOutSeed = 7;
    host.AddOuts(plain.given.tensors, kOutSeed);
    there.AddOuts(plain.given.tensors, kOutSeed);
  }
  const Given expected = Try(form, host.values());
  if (expected.threw) return Taken::kRefused;
  const Given got = Run(form, there.values());
  Count(t_, !declined_);
  if (Declined(got)) return Taken::kDeclined;
  const std::string shown = &form == call.op ? call.str() : Join({form.name(), " as ", call.str()});
  Require(!got.threw, {shown, ": the host computes it, the device says: ", got.message});
  std::string why = WithLateFailures(
      [&] { return Disagree(s_, form, host.values(), got.tensors, expected.tensors); });
  Require(why.empty(), {shown, ": ", why});
  if (replay::ComparisonOf(form, host.values()) == replay::Comparison::kValues) {
    const replay::Tolerance least = replay::LeastTolerance(form.name(), t_.dtype, s_.device());
    why = WithLateFailures([&] { return Differ(there.memory(), host.memory(), least); });
    Require(why.empty(), {shown, ", in or around its arguments afterwards: ", why});
  }
  return declined_ ? Taken::kDeclined : Taken::kServed;
}

Taken Measure::AgainstItself(const DrawnCall& call) {
  // A stream for each call: one whose work has failed says so at every wait.
  const bool queued = CurrentStream(s_.device()).impl() != nullptr;
  const auto run = [&](Lay lay, std::string* late) {
    const StreamGuard guard(queued ? Stream::New(s_.device()) : CurrentStream(s_.device()));
    const MadeCall made(call, &s_, lay);
    Given given = Run(*call.op, made.values());
    *late = WithLateFailures([&] {
      for (Tensor& t : given.tensors) t = t.defined() ? ToHost(t) : t;
      return std::string();
    });
    return given;
  };
  std::string late_first, late_second;
  const Given first = run(Lay::kAsDrawn, &late_first);
  const bool declined_first = declined_;
  if (!Declined(first) && !first.threw && late_first.empty())
    Count(t_, !declined_, /*second_run=*/true);
  Require(first.code != ErrorCode::kInternal, {call.str(), ": ", first.message});
  const Given second = run(Lay::kDense, &late_second);
  if (Declined(first) || Declined(second)) return Taken::kDeclined;
  const bool refused = first.threw || !late_first.empty();
  Require(refused == (second.threw || !late_second.empty()),
          {call.str(), ": of two runs on the same elements, one fails: ", first.message, late_first,
           second.message, late_second});
  if (refused) return Taken::kRefused;
  const MadeCall host(call, nullptr);
  const std::string why = Disagree(s_, *call.op, host.values(), first.tensors, second.tensors);
  Require(
      why.empty(),
      {call.str(), ": two runs on the same elements, the second one on row-major tensors: ", why});
  return declined_first ? Taken::kDeclined : Taken::kServed;
}

}  // namespace sy::conform
