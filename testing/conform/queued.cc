// What a call may count on when its work is done later: the order of its stream, and nothing else
// of the call's.

#include "switchyard/core/accelerator.h"
#include "testing/conform/measure.h"

namespace sy::conform {
namespace {

// Of each operator one dtype: what ends with a call is the same for all. f gives false where
// nothing was compared, or nothing was late.
template <class F>
void ForEachKernel(const Subject& subject, const Session& s, F f) {
  int compared = 0;
  const OperatorEntry* last = nullptr;
  for (const Trial& t : TrialsOf(s)) {
    if (t.op == last || replay::ComparisonOf(*t.op) != replay::Comparison::kValues) continue;
    Random random(subject.seed);
    constexpr int kWanted = 8, kMost = 400;
    int served = 0;
    for (int i = 0; i < kMost && served < kWanted; ++i) {
      const DrawOptions o = {.dtype = t.dtype,
                             .family = static_cast<Family>(i % kNumFamilies),
                             .elements = Elements::kPositive,
                             .host_numbers = i % 3 != 0};
      const DrawnCall call = Draw(*t.op, o, random);
      const HostAnswer answer = AskHost(call);
      if (answer.kind != HostAnswer::kGives) continue;
      served += f(t, call, answer.given.tensors) ? 1 : 0;
    }
    compared += served;
    if (served > 0) last = t.op;
  }
  if (compared == 0) NotApplicable({"it has no kernel that serves a call which the host computes"});
}

// Numbers of the host, lists, sizes and strides are the caller's again when the call returns.
void ArgumentsEndWithTheCall(const Subject& subject) {
  const Session s(subject);
  Backlog backlog(s);
  ForEachKernel(subject, s, [&](const Trial& t, const DrawnCall& call, const auto& expected) {
    MadeCall there(call, &s);
    backlog.Queue();
    const Given got = Try(*t.op, there.values());
    const bool shows_nothing = backlog.WasTooShort();
    there.End();
    Count(t, !Declined(got));
    if (Declined(got)) return false;
    Require(!got.threw, {call.str(), ": ", got.message});
    const MadeCall host(call, nullptr);
    const std::string why = Disagree(s, *t.op, host.values(), got.tensors, expected);
    Require(why.empty(), {call.str(),
                          ", whose lists, numbers and tensors changed and went when it "
                          "had returned: ",
                          why});
    return !shows_nothing;
  });
}

// Arguments that arrive by copies queued before: the kernel must wait for its stream alone.
void KernelsKeepToTheirStream(const Subject& subject) {
  const Session s(subject);
  if (Stream::New(s.device()).impl() == nullptr)
    NotApplicable({s.device().str(), " has no streams: its work is done when a call returns"});
  Backlog backlog(s);
  const Stream stream = Stream::New(s.device());
  ForEachKernel(subject, s, [&](const Trial& t, const DrawnCall& call, const auto& expected) {
    const MadeCall arriving(call, &s), there(call, &s), host(call, nullptr);
    for (const Tensor& m : there.memory()) {  // until then: zeros
      const std::vector<char> zeros(m.nbytes());
      if (m.device() != Device{kHost})
        s.backend().CopyFromHost(m.data(), zeros.data(), m.nbytes(), s.index(), nullptr);
    }
    Synchronize(s.device());
    const StreamGuard guard(stream);
    backlog.Queue();
    for (size_t i = 0; i < there.memory().size(); ++i) {
      const Tensor &to = there.memory()[i], &from = arriving.memory()[i];
      if (to.device() != Device{kHost})
        s.backend().CopyWithin(to.data(), from.data(), to.nbytes(), s.index(), stream.impl());
    }
    const Given got = Try(*t.op, there.values());
    const bool shows_nothing = backlog.WasTooShort();
    Count(t, !Declined(got));
    if (Declined(got)) return stream.Synchronize(), false;
    Require(!got.threw, {call.str(), ": ", got.message});
    // And leave by one.
    std::vector<Tensor> left;
    for (const Tensor& r : got.tensors) {
      left.push_back(Tensor::EmptyStrided(r.sizes(), r.strides(), r.dtype(), s.device()));
      if (r.numel() > 0)
        s.backend().CopyWithin(left.back().data(), r.data(), r.nbytes(), s.index(), stream.impl());
    }
    const std::string why = Disagree(s, *t.op, host.values(), left, expected);
    stream.Synchronize();
    Require(why.empty(),
            {call.str(), ", whose tensors come and go by copies on the same stream: ", why});
    return !shows_nothing;
  });
}

constexpr Check kChecks[] = {
    {"order.arguments_end", "lists, numbers and tensors of a call may go when it returns",
     ArgumentsEndWithTheCall},
    {"streams.kernels", "kernels run on the current stream, after what was queued there",
     KernelsKeepToTheirStream},
};

}  // namespace

std::span<const Check> QueuedChecks() { return kChecks; }

}  // namespace sy::conform
