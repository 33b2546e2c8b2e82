// Random numbers: the same on every device, by a Philox generator of the same seed.

#include "switchyard/core/philox_generator.h"
#include "testing/conform/trial.h"

namespace sy::conform {
namespace {

bool Draws(const OperatorEntry& op) {
  for (const Argument& a : op.schema().arguments) {
    if (a.type.kind == TypeKind::kGenerator) return true;
  }
  return false;
}

// The trial's values with a generator.
std::vector<Value> With(Generator& g, const OperatorEntry& op, std::span<const Value> values) {
  std::vector<Value> all(values.begin(), values.end());
  for (size_t i = 0; i < all.size(); ++i) {
    if (op.schema().arguments[i].type.kind == TypeKind::kGenerator) all[i] = Value(&g);
  }
  return all;
}

std::vector<Tensor> Call(const OperatorEntry& op, std::span<const Value> values) {
  Results results;
  CallBoxed(op, values, results.Reset(op.num_results));
  return {results[0].tensor()};
}

void PhiloxEquality(const Subject& subject) {
  const Session s(subject);
  int compared = 0;
  for (const Trial& t : TrialsOf(s)) {
    if (!Draws(*t.op)) continue;
    for (const Layout layout : {Layout::kPlain, Layout::kLarge}) {
      const TrialArguments host(*t.op, t.dtype, layout, Indices::kLikeSelf, nullptr);
      const TrialArguments there(*t.op, t.dtype, layout, Indices::kLikeSelf, &s);
      PhiloxGenerator here_generator{Device{kHost}}, there_generator{s.device()};
      here_generator.manual_seed(42);
      there_generator.manual_seed(42);
      // Twice: the second call goes on where the first one has left the stream.
      for (int i = 0; i < 2; ++i) {
        std::vector<Tensor> expected;
        try {
          expected = Call(*t.op, With(here_generator, *t.op, host.values()));
        } catch (const Error&) {
          break;  // the host does not take such arguments
        }
        const std::vector<Tensor> got = Call(*t.op, With(there_generator, *t.op, there.values()));
        const std::string why = Differ(got, expected);
        Require(why.empty(), {t.name(), ", seed 42, call ", i + 1, ": ", why});
        ++compared;
      }
    }
  }
  if (compared == 0) NotApplicable({"it has no kernels that draw random numbers"});
}

constexpr Check kChecks[] = {
    {"random.philox", "one seed gives the host's numbers", PhiloxEquality},
};

}  // namespace

std::span<const Check> RandomChecks() { return kChecks; }

}  // namespace sy::conform
