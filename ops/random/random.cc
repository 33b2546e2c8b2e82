// Integers drawn evenly from [from, to); without bounds, from 0 to the largest that the dtype holds
// exactly. random_ fills self with them.
//   self: real; from < to   →   like self
// Errors: kInvalidArgument when there is no integer in between, or the bounds are beyond the
// dtype's range.
// Example: sy::random_(x, 0, 10)
// Source: ATen random_; the numbers for a seed are PyTorch's.
#include <limits>

#include "switchyard/ops/random/bounds.h"
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

constexpr DTypeMask kTypes = kIntegerTypes | kFloatingTypes | Bit(DType::kBool);

void State(Rule& r, const Meta& self) { r.OutputLike(self).pointwise = true; }

void RandomRule(Rule& r, const Meta& self, Generator*) {
  RequireDType(r, self, kTypes);
  State(r, self);
}

// Integers in range are exact, except that floating types round those beyond their significand.
bool Holds(DType d, int64_t i) {
  return d == DType::kBool ? i == 0 || i == 1 : Scalar(i).Fits(d) && (i >= 0 || IsSigned(d));
}

void RandomFromRule(Rule& r, const Meta& self, int64_t from, std::optional<int64_t> to,
                    Generator*) {
  const DType d = self.dtype();
  RequireDType(r, self, kTypes | kWideUnsignedTypes);
  State(r, self);
  if (to && from >= *to) r.Fail({"from must be below to, got ", from, " and ", *to});
  if (!to && from == std::numeric_limits<int64_t>::min()) {  // any 64 bits
    constexpr DTypeMask kWide =
        Mask(DType::kInt64, DType::kFloat64, DType::kFloat32, DType::kBFloat16);
    RequireDType(r, self, kWide);
    return;
  }
  const RandomBounds b = BoundsOfRandom(d, from, to);
  if (b.from > b.last) r.Fail({"there is no ", d, " from ", b.from, " to ", b.last});
  if (!Holds(d, b.from)) r.Fail({"from is ", b.from, ", out of range for ", d});
  if (!Holds(d, b.last)) r.Fail({"to - 1 is ", b.last, ", out of range for ", d});
}

void RandomToRule(Rule& r, const Meta& self, int64_t to, Generator* g) {
  RandomFromRule(r, self, 0, to, g);
}

}  // namespace

const Operator random_op{"random(Tensor self, *, Generator? generator=None) -> Tensor", RandomRule,
                         kInPlace | kOut};
const Operator random_from_op{
    "random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
    RandomFromRule, kInPlace | kOut};
const Operator random_to_op{
    "random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", RandomToRule,
    kInPlace | kOut};

}  // namespace sy
