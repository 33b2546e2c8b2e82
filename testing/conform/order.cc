// The order of queued work, without streams of one's own.

#include <atomic>
#include <thread>

#include "switchyard/core/accelerator.h"
#include "testing/conform/trial.h"

namespace sy::conform {
namespace {

// A trial whose kernel takes plain tensors, with what it must give.
struct Served {
  Trial trial;
  std::vector<Tensor> expected;
};
std::vector<Served> ServedTrials(const Session& s) {
  std::vector<Served> all;
  for (const Trial& t : TrialsOf(s)) {
    const TrialArguments host(*t.op, t.dtype, Layout::kPlain, Indices::kLikeSelf, nullptr);
    if (!host.can_be_made()) continue;
    const Given expected = Try(*t.op, host);
    const TrialArguments there(*t.op, t.dtype, Layout::kPlain, Indices::kLikeSelf, &s);
    if (expected.threw || Try(*t.op, there).threw) continue;
    all.push_back({t, expected.tensors});
  }
  if (all.empty()) NotApplicable({"it has no kernel that serves plain tensors"});
  return all;
}

// "" or how one copy to the device, kernel, copy back goes wrong.
std::string RoundTrip(const Session& s, const Served& served) {
  const Trial& t = served.trial;
  const TrialArguments there(*t.op, t.dtype, Layout::kPlain, Indices::kLikeSelf, &s);
  const Given got = Try(*t.op, there);
  return got.threw ? got.message : Differ(got.tensors, served.expected);
}

void CopyKernelCopy(const Subject& subject) {
  const Session s(subject);
  constexpr int kTimes = 200;
  for (const Served& served : ServedTrials(s)) {
    for (int i = 0; i < kTimes; ++i) {
      const std::string why = RoundTrip(s, served);
      Require(why.empty(), {served.trial.name(), ", copy, kernel, copy, time ", i, ": ", why});
    }
  }
}

// What is freed at once after its last use must not be given to others before that use is done.
void FreedWhileQueued(const Subject& subject) {
  const Session s(subject);
  constexpr int kTimes = 30, kBytes = 1 << 16;
  Backlog backlog(s);
  for (int i = 0; i < kTimes; ++i) {
    Tensor kept = s.Empty({kBytes}, DType::kUInt8);
    const Tensor host = PatternTensor(kBytes, i);
    {
      const Tensor passing = s.There(host);
      backlog.Queue();
      // On a stream: without one, a copy is waited for.
      s.backend().CopyWithin(kept.data(), passing.data(), kBytes, s.index(),
                             CurrentStream(s.device()).impl());
    }
    const Tensor other = s.There(PatternTensor(kBytes, i + 1));
    const std::string why = Differ({kept}, {host});
    Require(why.empty(), {"copied from memory that was freed then, time ", i, ": ", why});
  }
}

void ConcurrentCalls(const Subject& subject) {
  const Session s(subject);
  const std::vector<Served> all = ServedTrials(s);
  constexpr int kThreads = 4, kTimes = 100;
  std::vector<std::string> wrong(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTimes && wrong[t].empty(); ++i) {
        const Served& served = all[(t + static_cast<size_t>(i)) % all.size()];
        const std::string why = RoundTrip(s, served);
        if (!why.empty()) wrong[t] = served.trial.name() + ": " + why;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const std::string& why : wrong)
    Require(why.empty(), {kThreads, " threads call at the same time; ", why});
}

void SynchronizesAnyTime(const Subject& subject) {
  const Session s(subject);
  const Tensor t = s.There(PatternTensor(1000, 1));
  for (int i = 0; i < 3; ++i) s.backend().Synchronize(s.index());
  const std::string why = Differ({t}, {PatternTensor(1000, 1)});
  Require(why.empty(), {"after synchronising: ", why});
}

constexpr Check kChecks[] = {
    {"order.copy_kernel_copy", "copy, kernel, copy in a row, without waiting in between",
     CopyKernelCopy},
    {"order.freed_while_queued",
     "memory freed after its last use was queued is not reused too soon", FreedWhileQueued},
    {"order.concurrent_calls", "four threads copy and call at the same time", ConcurrentCalls},
    {"order.synchronize", "synchronising, also with nothing queued", SynchronizesAnyTime},
};

}  // namespace

std::span<const Check> OrderChecks() { return kChecks; }

}  // namespace sy::conform
