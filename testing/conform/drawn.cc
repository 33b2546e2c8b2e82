// Kernels called with arguments at random, the plugin's own operators too. Fallback is forbidden.

#include <fnmatch.h>

#include <algorithm>

#include "switchyard/registry/name.h"
#include "testing/conform/measure.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

enum class Owner : uint8_t { kHost, kPlugin };

struct Aim {
  Owner owner;
  Extents extents = Extents::kOrdinary;
  std::initializer_list<Elements> elements;
  bool variants = false;  // in place and with out=, in place of the functional one
};

// Operators that are there to fail, and those that the caller names.
bool IsSkipped(const Subject& subject, std::string_view op) {
  if (op == subject.fail || op == subject.lose) return true;
  const auto matches = [](const std::string& pattern, std::string_view name) {
    return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
  };
  return std::ranges::any_of(subject.skip, [&](const std::string& skip) {
    const size_t at = skip.find('@');
    return matches(skip.substr(0, at), op) &&
           (at == skip.npos || matches(skip.substr(at + 1), RunningCheck()));
  });
}

// Of one kernel and dtype, calls that the host or the operator's rule takes.
class Draws {
 public:
  Draws(const Subject& subject, const Trial& t, const Aim& aim)
      : t_(t), aim_(aim), random_(HashName(t.name()) + subject.seed) {
    Learn();
  }

  DrawnCall Next() {
    DrawOptions o =
        Options(families_[static_cast<size_t>(random_.Between(0, std::ssize(families_) - 1))]);
    o.extents = aim_.variants && random_.OneIn(2) ? Extents::kHuge : aim_.extents;
    o.elements = aim_.elements.begin()[random_.Between(0, std::ssize(aim_.elements) - 1)];
    o.host_numbers = !aim_.variants && random_.OneIn(3);
    o.mixed = !aim_.variants;
    return Draw(*t_.op, o, random_);
  }
  bool any() const { return !families_.empty(); }
  Random& random() { return random_; }

 private:
  DrawOptions Options(Family f) const {
    return {.dtype = t_.dtype, .family = f, .dtypes = dtypes_, .scales = scales_};
  }
  // Of the plugin's own, operands may be of several dtypes, and of these alone: as for quantised
  // numbers with what their names say is none, else as found by trying.
  void Learn() {
    LearnFamilies();
    if (any() || t_.op->name().find("::") == std::string_view::npos) return;
    scales_ = true;
    for (const DType d : {t_.dtype, DType::kInt8, DType::kUInt8, DType::kInt32}) {
      ChooseDTypes([&](const Argument& a) { return IsOfScales(a) ? DType::kFloat32 : d; });
      LearnFamilies();
      if (any()) return;
    }
    constexpr int kTries = 256;
    for (int i = 0; i < kTries && !any(); ++i) {
      ChooseDTypes([&](const Argument&) {
        return random_.Pick({t_.dtype, DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt32,
                             DType::kInt64, DType::kBool});
      });
      LearnFamilies();
    }
  }
  template <class F>
  void ChooseDTypes(F of) {
    dtypes_.clear();
    for (const Argument& a : t_.op->schema().arguments) dtypes_.push_back(of(a));
  }
  void LearnFamilies() {
    constexpr int kTries = 16;  // a family of which the host takes one in 16 is seldom missed
    for (int f = 0; f < kNumFamilies; ++f) {
      for (int i = 0; i < kTries; ++i) {
        DrawOptions o = Options(static_cast<Family>(f));
        o.elements = i % 2 == 0 ? Elements::kSmall : Elements::kPositive;
        if (AskHost(Draw(*t_.op, o, random_)).kind == HostAnswer::kRefuses) continue;
        families_.push_back(static_cast<Family>(f));
        break;
      }
    }
  }
  const Trial& t_;
  const Aim& aim_;
  Random random_;
  std::vector<DType> dtypes_;
  bool scales_ = false;
  std::vector<Family> families_;
};

// A variant at random, null where the operator has none.
const OperatorEntry* AnyVariant(const OperatorEntry& op, Random& random) {
  const OperatorEntry *in_place = VariantOf(op, Variant::kInPlace),
                      *out = VariantOf(op, Variant::kOut);
  if (in_place == nullptr || out == nullptr) return in_place == nullptr ? out : in_place;
  return random.OneIn(2) ? in_place : out;
}

struct Totals {
  int trials = 0, served = 0, declined = 0;
};

void TakeTrial(const Subject& subject, const Session& s, const Trial& t, const Aim& aim,
               Totals& totals) {
  Draws draws(subject, t, aim);
  if (!draws.any()) return;
  Measure measure(s, t);
  int taken = 0;
  const int most = 8 * subject.draws;  // as many are refused as may be
  for (int i = 0; i < most && taken < subject.draws; ++i) {
    const OperatorEntry* form = aim.variants ? AnyVariant(*t.op, draws.random()) : nullptr;
    if (aim.variants && form == nullptr) return;
    switch (measure.Take(draws.Next(), form)) {
      case Taken::kRefused:
        continue;
      case Taken::kDeclined:
        ++totals.declined;
        break;
      case Taken::kServed:
        ++totals.served;
        break;
    }
    ++taken;
  }
  totals.trials += taken > 0 ? 1 : 0;
}

void Take(const Subject& subject, const Aim& aim) {
  const Session s(subject);
  const bool own = aim.owner == Owner::kPlugin;
  Totals totals;
  for (const Trial& t : TrialsOf(s)) {
    if (IsOwn(s, t) != own || (own && IsSkipped(subject, t.op->name()))) continue;
    if (replay::ComparisonOf(*t.op) == replay::Comparison::kRandom) continue;  // random.philox
    TakeTrial(subject, s, t, aim, totals);
  }
  if (totals.trials == 0) {
    NotApplicable(
        {own ? "it has no operators of its own with a kernel for " : "it has no kernels for ",
         s.device().str(), " whose arguments can be made"});
  }
  if (totals.served == 0) NotApplicable({"its kernels decline all ", totals.declined, " calls"});
}

// NaN and infinities have no place in conversions to integers: Draw mixes no dtypes then.
template <Owner kOwner>
void Arguments(const Subject& subject) {
  Take(subject, {.owner = kOwner,
                 .elements = {Elements::kSmall, Elements::kSmall, Elements::kPositive,
                              Elements::kUnit, Elements::kWide}});
}
template <Owner kOwner>
void SpecialNumbers(const Subject& subject) {
  Take(subject, {.owner = kOwner, .elements = {Elements::kSpecial}});
}
template <Owner kOwner>
void Edges(const Subject& subject) {
  Take(subject, {.owner = kOwner,
                 .extents = Extents::kHuge,
                 .elements = {Elements::kSmall, Elements::kUnit}});
}
template <Owner kOwner>
void WritingForms(const Subject& subject) {
  Take(subject, {.owner = kOwner,
                 .elements = {Elements::kSmall, Elements::kPositive, Elements::kUnit},
                 .variants = true});
}

constexpr Check kChecks[] = {
    {"kernels.arguments", "kernels agree with the host's on arguments at random",
     Arguments<Owner::kHost>},
    {"kernels.special", "the same for NaN, infinities and numbers beyond the usual",
     SpecialNumbers<Owner::kHost>},
    {"kernels.edges", "the same for sizes of 0 and of more than 16 and 32 bits",
     Edges<Owner::kHost>},
    {"kernels.variants", "the same in place and with out=, into any layout",
     WritingForms<Owner::kHost>},
    {"operators.arguments", "its own operators agree with a reference, or with a second run",
     Arguments<Owner::kPlugin>},
    {"operators.special", "the same for NaN and infinities", SpecialNumbers<Owner::kPlugin>},
    {"operators.edges", "the same for sizes of 0 and of more than 16 and 32 bits",
     Edges<Owner::kPlugin>},
    {"operators.variants", "the same in place and with out=", WritingForms<Owner::kPlugin>},
};

}  // namespace

std::span<const Check> DrawnChecks() { return kChecks; }

}  // namespace sy::conform
