// Kernels of a plugin, called with layouts that a test by values rarely has. Fallback is forbidden.

#include <cstring>

#include "testing/conform/trial.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

constexpr Indices kIndices[] = {Indices::kLikeSelf, Indices::kRow};

// Calls f(trial, indices) where the host serves the operator with such arguments; f says whether
// the plugin's kernel served it too. Broken where not one call was served that could have been.
template <class F>
void ForEachServed(const Session& s, Layout layout, F f) {
  const std::vector<Trial> trials = TrialsOf(s);
  if (trials.empty()) NotApplicable({"it has no kernels for ", s.device().str()});
  int tried = 0, served = 0;
  for (const Trial& t : trials) {
    for (const Indices indices : kIndices) {
      const TrialArguments host(*t.op, t.dtype, layout, indices, nullptr);
      if (!host.can_be_made()) continue;
      const Given expected = Try(*t.op, host);
      if (expected.threw) continue;
      ++tried;
      served += f(t, indices, expected) ? 1 : 0;
      break;
    }
  }
  if (tried == 0) NotApplicable({"the host takes such arguments for none of its operators"});
  if (served == 0) NotApplicable({"its kernels decline all ", tried, " calls with such arguments"});
}

template <Layout kLayout>
void AgreesWithTheHost(const Subject& subject) {
  const Session s(subject);
  ForEachServed(s, kLayout, [&](const Trial& t, Indices indices, const Given& expected) {
    const TrialArguments there(*t.op, t.dtype, kLayout, indices, &s);
    const Given got = Try(*t.op, there);
    Count(t, !Declined(got));
    if (Declined(got)) return false;
    Require(!got.threw, {t.name(), ", tensors ", Name(kLayout), ": ", got.message});
    const std::string why = Differ(got.tensors, expected.tensors);
    Require(why.empty(), {t.name(), ", tensors ", Name(kLayout), ": ", why});
    return true;
  });
}

// In place, where what is written is also read a row further on.
void Overlapping(const Subject& subject) {
  const Session s(subject);
  int compared = 0;
  for (const Trial& t : TrialsOf(s)) {
    const OperatorEntry* form = VariantOf(*t.op, Variant::kInPlace);
    if (form == nullptr) continue;
    const TrialArguments host(*form, t.dtype, Layout::kOverlap, Indices::kLikeSelf, nullptr);
    const TrialArguments there(*form, t.dtype, Layout::kOverlap, Indices::kLikeSelf, &s);
    if (!host.can_be_made()) continue;
    const Given expected = Try(*form, host), got = Try(*form, there);
    if (Declined(got)) continue;
    ++compared;
    Require(got.threw == expected.threw,
            {form->name(), " with tensors that overlap: the host ",
             expected.threw ? "refuses" : "computes", ", the device does not; ", got.message});
    if (got.threw) continue;
    const std::string why = Differ(got.tensors, expected.tensors);
    Require(why.empty(), {form->name(), " with tensors that overlap: ", why});
  }
  if (compared == 0) NotApplicable({"it has no kernels for operators with an in-place form"});
}

// Broken where a call that failed has written its outputs: they are full of sevens.
void RequireUntouched(const TrialArguments& arguments, const std::string& what) {
  for (const Tensor& out : arguments.outs()) {
    const Tensor host = ToHost(out);
    const auto* bytes = static_cast<const char*>(host.data());
    for (size_t i = 0; i < host.nbytes(); ++i)
      Require(bytes[i] == 7, {what, ", and had written byte ", i, " of its output before"});
  }
}

constexpr Layout kLayouts[] = {Layout::kPlain,      Layout::kTransposed, Layout::kGaps,
                               Layout::kStrideZero, Layout::kBroadcast,  Layout::kNumberLike,
                               Layout::kHighRank};

void DeclinedWritesNothing(const Subject& subject) {
  const Session s(subject);
  int declined = 0;
  for (const Trial& t : TrialsOf(s)) {
    const OperatorEntry* form = VariantOf(*t.op, Variant::kOut);
    if (form == nullptr) continue;
    for (const Layout layout : kLayouts) {
      const TrialArguments host(*t.op, t.dtype, layout, Indices::kLikeSelf, nullptr);
      if (!host.can_be_made()) continue;
      const Given expected = Try(*t.op, host);
      if (expected.threw) continue;
      TrialArguments there(*form, t.dtype, layout, Indices::kLikeSelf, &s);
      there.SetOuts(expected.tensors);
      if (!Declined(Try(*form, there))) continue;
      ++declined;
      RequireUntouched(there, fmt::format("{}, tensors {}: it declines", t.name(), Name(layout)));
    }
  }
  if (declined == 0) NotApplicable({"its kernels declined none of the calls"});
}

// A plugin has one code for both.
bool IsOfValues(ErrorCode code) {
  return code == ErrorCode::kInvalidValue || code == ErrorCode::kIndexOutOfRange;
}

void ErrorsWriteNothing(const Subject& subject) {
  const Session s(subject);
  int failed = 0;
  for (const Trial& t : TrialsOf(s)) {
    const OperatorEntry* form = VariantOf(*t.op, Variant::kOut);
    if (form == nullptr) continue;
    for (const Indices good : kIndices) {
      const TrialArguments right(*t.op, t.dtype, Layout::kPlain, good, nullptr);
      if (!right.can_be_made()) continue;
      const Given expected = Try(*t.op, right);
      const TrialArguments wrong(*t.op, t.dtype, Layout::kPlain, Indices::kOutside, nullptr);
      if (expected.threw || !IsOfValues(Try(*t.op, wrong).code)) continue;
      TrialArguments there(*form, t.dtype, Layout::kPlain, Indices::kOutside, &s);
      there.SetOuts(expected.tensors);
      const Given got = Try(*form, there);
      if (Declined(got)) continue;
      ++failed;
      Require(got.threw && IsOfValues(got.code),
              {t.name(), ": an index outside must be the error invalid_value, got '", got.message,
               "'"});
      RequireUntouched(there, t.name() + ": it fails");
    }
  }
  if (failed == 0) NotApplicable({"none of its operators fails by values inside tensors"});
}

// More elements than 32 bits count, of one byte each: 2 GiB for each tensor.
void Huge(const Subject& subject) {
  if (!subject.large) NotApplicable({"it takes 8 GiB of memory: ask with --large"});
  const Session s(subject);
  constexpr int64_t kElements = (int64_t{1} << 31) + 5;
  for (const Trial& t : TrialsOf(s)) {
    if (t.op->name() != "fill.Scalar" || ItemSize(t.dtype) != 1) continue;
    const Tensor x = s.Empty({kElements}, t.dtype);
    call("fill_", x, 1);
    const Tensor host = ToHost(x);
    const auto* bytes = static_cast<const char*>(host.data());
    Require(bytes[0] == 1 && std::memcmp(bytes, bytes + 1, host.nbytes() - 1) == 0,
            {"fill_ of ", kElements, " elements left some as they were"});
    return;
  }
  NotApplicable({"it has no kernel of fill.Scalar for a dtype of one byte"});
}

constexpr Check kChecks[] = {
    {"kernels.values", "kernels agree with the host's", AgreesWithTheHost<Layout::kPlain>},
    {"kernels.transposed", "the same for transposed tensors",
     AgreesWithTheHost<Layout::kTransposed>},
    {"kernels.gaps", "the same for tensors with gaps and an offset",
     AgreesWithTheHost<Layout::kGaps>},
    {"kernels.stride_zero", "the same for tensors with stride 0",
     AgreesWithTheHost<Layout::kStrideZero>},
    {"kernels.broadcast", "the same for tensors that are broadcast",
     AgreesWithTheHost<Layout::kBroadcast>},
    {"kernels.zero_dim", "the same for tensors without dimensions",
     AgreesWithTheHost<Layout::kNumberLike>},
    {"kernels.empty", "the same for tensors without elements", AgreesWithTheHost<Layout::kEmpty>},
    {"kernels.high_rank", "the same for 12 dimensions", AgreesWithTheHost<Layout::kHighRank>},
    {"kernels.large", "the same for a million elements", AgreesWithTheHost<Layout::kLarge>},
    {"kernels.huge", "more than 2^31 elements", Huge},
    {"kernels.overlap", "in-place forms of tensors that overlap", Overlapping},
    {"kernels.declined", "a kernel that declines has written nothing", DeclinedWritesNothing},
    {"kernels.errors", "a kernel that fails by values has written nothing", ErrorsWriteNothing},
};

}  // namespace

std::span<const Check> KernelChecks() { return kChecks; }

}  // namespace sy::conform
