// Fills self with integers drawn evenly from [from, to); without bounds, from 0 to the largest that
// the dtype holds exactly.
//   self: real; from < to   →   self
// Errors: kInvalidArgument when there is no integer in between, or the bounds are beyond the
// dtype's range.
// Example: sy::random_(x, 0, 10)
// Source: ATen random_; the numbers for a seed are PyTorch's.
#include <limits>

#include "switchyard/ops/rules.h"

namespace sy {
namespace {

constexpr DTypeMask kTypes =
    kIntegerTypes | kWideUnsignedTypes | kFloatingTypes | Bit(DType::kBool);

// Integers up to here are exact in floating types; integer types hold what they hold.
bool Holds(DType d, int64_t i) {
  switch (d) {
    case DType::kBool:
      return i == 0 || i == 1;
    case DType::kUInt8:
    case DType::kUInt16:
    case DType::kUInt32:
    case DType::kUInt64:
      return i >= 0 && Scalar(i).Fits(d);
    default:
      return Scalar(i).Fits(d);
  }
}

void RandomRule(Rule& r, const Meta& self, Generator*) {
  RequireDType(r, self, kTypes);
  r.OutputInPlace(self);
}

void Check(Rule& r, const Meta& self, int64_t from, int64_t last) {
  RequireDType(r, self, kTypes);
  if (!Holds(self.dtype(), from)) r.Fail({"from is ", from, ", out of range for ", self.dtype()});
  if (!Holds(self.dtype(), last)) r.Fail({"to - 1 is ", last, ", out of range for ", self.dtype()});
  r.OutputInPlace(self);
}

void RandomFromRule(Rule& r, const Meta& self, int64_t from, std::optional<int64_t> to,
                    Generator*) {
  if (to && from >= *to) r.Fail({"from must be below to, got ", from, " and ", *to});
  Check(r, self, from, to ? *to - 1 : from);
}

void RandomToRule(Rule& r, const Meta& self, int64_t to, Generator*) {
  if (to <= 0) r.Fail({"to must be above 0, got ", to});
  Check(r, self, 0, to - 1);
}

}  // namespace

const Operator random_op{"random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)",
                         RandomRule, kInPlaceOnly};
const Operator random_from_op{
    "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)",
    RandomFromRule, kInPlaceOnly};
const Operator random_to_op{
    "random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", RandomToRule,
    kInPlaceOnly};

}  // namespace sy
