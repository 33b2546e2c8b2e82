// Random operators on devices that have streams of their own: every number must be one that the
// distribution can give.

#include <algorithm>
#include <cmath>
#include <limits>

#include "switchyard/core/transfer.h"
#include "testing/replay/elements.h"
#include "testing/replay/special.h"

namespace sy::replay {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Range {
  double low = -kInf, high = kInf;  // both included
  bool integers = false;
};

double NumberOf(const SpecialCall& call, std::string_view argument, double otherwise) {
  const int at = call.op.schema().Find(argument);
  if (at < 0 || call.args[at].tag == Tag::kNone || call.args[at].tag == Tag::kTensor)
    return otherwise;
  return call.args[at].scalar().To<double>();
}

// By name: that an operator is random its tag says (nondeterministic_seeded), but no tag of ATen's
// what its distribution can give.
Range RangeOf(std::string_view name, const SpecialCall& call) {
  if (name == "rand" || name == "rand_like") return {0, 1};
  if (name == "uniform") return {NumberOf(call, "from", 0), NumberOf(call, "to", 1)};
  if (name == "bernoulli") return {0, 1, true};
  if (name == "exponential" || name == "log_normal") return {0, kInf};
  if (name == "geometric") return {1, kInf, true};
  if (name == "randint" || name == "randint_like")
    return {NumberOf(call, "low", 0), NumberOf(call, "high", kInf) - 1, true};
  if (name == "random") return {NumberOf(call, "from", 0), NumberOf(call, "to", kInf) - 1, true};
  if (name == "randperm") return {0, NumberOf(call, "n", kInf) - 1, true};
  if (name == "multinomial")
    return {0, static_cast<double>(call.args[0].tensor().size(-1)) - 1, true};
  return {};
}

// x as the nearest number of a floating dtype: what is drawn below 2.59 may round to it and, in
// bfloat16, to 2.59375.
double Rounded(double x, DType dtype) {
  if (!Contains(kFloatingTypes, dtype)) return x;
  return VisitDType<kFloatingTypes>(dtype, [&](auto tag) {
    return static_cast<double>(static_cast<typename decltype(tag)::type>(x));
  });
}

std::vector<double> Numbers(const Tensor& t) {
  std::vector<double> all;
  constexpr DTypeMask kReal = kAllTypes & ~kComplexTypes & ~Bit(DType::kComplex32);
  if (!Contains(kReal, t.dtype())) return all;
  VisitDType<kReal>(t.dtype(), [&](auto tag) {
    const auto* p = static_cast<const typename decltype(tag)::type*>(t.data());
    ForEachOffset(t.sizes(), t.strides(),
                  [&](int64_t offset) { all.push_back(static_cast<double>(Widen(p[offset]))); });
  });
  return all;
}

std::string CheckPermutation(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != static_cast<double>(i)) return Join({i, " is missing from the permutation"});
  }
  return "";
}

}  // namespace

std::string CheckRandomRange(const SpecialCall& call) {
  const std::string_view op = call.op.name();
  std::string_view name = op.substr(0, op.find('.'));
  if (name.ends_with('_')) name.remove_suffix(1);
  Range range = RangeOf(name, call);
  range.low = Rounded(range.low, call.results[0].dtype());
  range.high = Rounded(range.high, call.results[0].dtype());
  const std::vector<double> numbers = Numbers(call.results[0]);
  for (double x : numbers) {
    const bool fits = x >= range.low && x <= range.high && (!range.integers || x == std::trunc(x));
    if (!fits) {
      return Join({"expected numbers from ", range.low, " to ", range.high,
                   range.integers ? " without fraction" : "", ", got ", x});
    }
  }
  return name == "randperm" ? CheckPermutation(numbers) : "";
}

}  // namespace sy::replay
