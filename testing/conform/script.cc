#include "testing/conform/script.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "switchyard/core/accelerator.h"
#include "switchyard/registry/registry.h"
#include "testing/conform/measure.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

constexpr int64_t kBytes = 1000;
constexpr size_t kMostSteps = 6;  // each is made anew in every cycle

bool SameBytes(const Tensor& a, const Tensor& b) {
  return std::memcmp(a.data(), b.data(), a.nbytes()) == 0;
}

}  // namespace

// One call of a kernel. Operators are found by name: they go with the plugin, and come again.
struct Script::Step {
  std::string op;
  DrawnCall call;
  std::unique_ptr<MadeCall> host;
  std::vector<Tensor> expected;
};

Script::Script(const Subject& subject) : subject_(subject) {
  subject_.reference.clear();
  const Session s(subject_);
  Learn(s);
  s.Unload();
}
Script::~Script() = default;

// From all over the list of kernels, since those of a file stand together.
void Script::Learn(const Session& s) {
  std::vector<Trial> trials;
  for (const Trial& t : TrialsOf(s)) {
    const bool again = !trials.empty() && trials.back().op == t.op;
    if (!again && !IsOwn(s, t) && replay::ComparisonOf(*t.op) == replay::Comparison::kValues)
      trials.push_back(t);
  }
  const size_t stride = std::max<size_t>(1, trials.size() / kMostSteps);
  for (size_t start = 0; start < stride; ++start) {
    for (size_t i = start; i < trials.size() && steps_.size() < kMostSteps; i += stride) {
      constexpr int kDraws = 40;
      Random random(subject_.seed);
      for (int draw = 0; draw < kDraws; ++draw) {
        const Trial& t = trials[i];
        const DrawnCall call = Draw(*t.op,
                                    {.dtype = t.dtype,
                                     .family = static_cast<Family>(draw % kNumFamilies),
                                     .elements = Elements::kPositive,
                                     .mixed = false},
                                    random);
        HostAnswer answer;
        if (call.complete) answer = AskHost(call);
        if (answer.kind != HostAnswer::kGives) continue;
        SayCalled(call.str());
        const MadeCall there(call, &s);
        const Given got = Try(*t.op, there.values());
        auto host = std::make_unique<MadeCall>(call, nullptr);
        if (got.threw ||
            !Disagree(s, *t.op, host->values(), got.tensors, answer.given.tensors).empty())
          continue;
        Count(t, /*served=*/true);
        steps_.push_back(
            {std::string(t.op->name()), call, std::move(host), std::move(answer.given.tensors)});
        break;
      }
    }
  }
}

void Script::UseStreams(const Session& s, const Tensor& host, const Tensor& there) const {
  const Stream one = Stream::New(s.device()), two = Stream::New(s.device());
  const Event event = one.RecordEvent(/*timed=*/true);
  two.WaitEvent(event);
  {
    const StreamGuard guard(two);
    const Tensor again = s.There(host);
    RecordStream(again, one);
    Require(SameBytes(ToHost(again), host), {place_, ", copies on a stream come back changed"});
  }
  RecordStream(there, two);
  const Event end = two.RecordEvent(/*timed=*/true);
  end.Synchronize();
  end.Query();
  event.ElapsedTime(end);
  two.Synchronize();
  one.Query();
}

// Whatever ends well is right.
void Script::Use(const Session& s) const {
  const Tensor host = PatternTensor(kBytes, 1), there = s.There(host);
  Require(SameBytes(ToHost(there), host), {place_, ", copies come back changed"});
  for (const Step& step : steps_) {
    const OperatorEntry& op = *Registry::Global().Find(step.op);
    const MadeCall made(step.call, &s);
    const Given got = Try(op, made.values());
    if (got.threw) Fail(got.code, got.message);
    const std::string why = Disagree(s, op, step.host->values(), got.tensors, step.expected);
    Require(why.empty(), {place_, ", ", step.call.str(), " ends well and is wrong: ", why});
  }
  GetMemoryStats(s.device());
  if (CurrentStream(s.device()).impl() != nullptr) UseStreams(s, host, there);
  if (s.backend().pinned_allocator() != nullptr) {
    const Tensor pinned = PinnedCopy(host, s.device()), to = s.Empty({kBytes}, DType::kUInt8);
    call("copy_", to, pinned, true);
    Require(SameBytes(ToHost(to), host), {place_, ", copies of pinned memory come back changed"});
  }
  Synchronize(s.device());
}

std::string Script::Cycle(int64_t nth, Refusing::How how) {
  std::string error;
  {
    const Refusing refusing(nth, how);
    try {
      const Session s(subject_);
      Use(s);
      unload_plugin(s.plugin().name);  // which may be refused something too
    } catch (const Error& e) {
      error = e.message().empty() ? "an error without a text" : e.message();
    }
  }
  for (const PluginInfo& p : loaded_plugins()) {
    const UnloadAnswer a = unload_plugin(p.name);
    Require(a.unloaded, {place_, error.empty() ? "" : " (" + error + ")",
                         ", nothing is in use, and unloading answers '", a.text, "'"});
  }
  return error;
}

int64_t Script::Lost(int times, int64_t nth, Refusing::How how) {
  const int64_t before = BytesInUse();
  for (int i = 0; i < times; ++i) Cycle(nth, how);
  return (BytesInUse() - before) / times;
}

// Malloc's own count moves with what threads and the C library keep, for a while: what is lost is
// lost again and again.
int64_t Script::LostForGood(int64_t nth, Refusing::How how, int64_t allowed) {
  constexpr int kTimes = 20, kWindows = 10;
  int64_t least = Lost(kTimes, nth, how);
  for (int i = 1; i < kWindows && least > allowed; ++i)
    least = std::min(least, Lost(kTimes, nth, how));
  return least;
}

// Of several windows the middle one: in any of them the driver may give back what it kept before.
int64_t Script::LostAnyway() {
  constexpr int kTimes = 20;
  std::array<int64_t, 5> lost{};
  for (int64_t& one : lost) one = Lost(kTimes, Refusing::kNever, Refusing::kOnce);
  const auto middle = lost.begin() + lost.size() / 2;
  std::nth_element(lost.begin(), middle, lost.end());
  return std::max<int64_t>(0, *middle);
}

void Script::RefuseOne(int64_t nth, Refusing::How how) {
  place_ = fmt::format("{} {}{}", what_, nth, how == Refusing::kOnce ? "" : " and all after it");
  SayCalled(place_);
  Cycle(nth, how);
  if (const char* name = Refusing::refused(); name != nullptr) place_ += fmt::format(" ({})", name);
  const std::string after = Cycle(Refusing::kNever, Refusing::kOnce);
  Require(after.empty(), {place_, ", and nothing in the next cycle, it says: ", after});
  constexpr int kFew = 3;
  if (Lost(kFew, nth, how) <= lost_anyway_) return;
  // The smallest block of malloc counts as 32 bytes.
  constexpr int64_t kSmallest = 32;
  const int64_t lost = LostForGood(nth, how, lost_anyway_ + kSmallest / 2);
  Require(lost < lost_anyway_ + kSmallest,
          {place_, ", ", lost, " bytes are lost each time, with nothing refused ", lost_anyway_});
}

void Script::RefuseEach(std::string_view what) {
  what_ = what;
  place_ = "with nothing refused";
  constexpr int kWarm = 10;
  for (int i = 0; i < kWarm; ++i) {
    const std::string error = Cycle(Refusing::kNever, Refusing::kOnce);
    Require(error.empty(), {place_, " it says: ", error});
  }
  const int64_t calls = Refusing::calls();
  if (calls == 0) NotApplicable({"it makes none of the calls that would be ", what});
  lost_anyway_ = LostAnyway();
  const int64_t step = subject_.places == 0 ? 1 : std::max<int64_t>(1, calls / subject_.places);
  for (const auto how : {Refusing::kOnce, Refusing::kFromThenOn}) {
    for (int64_t n = 1; n <= calls; n += step) RefuseOne(n, how);
  }
}

}  // namespace sy::conform
