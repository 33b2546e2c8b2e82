// Integers drawn evenly from [from, to); without bounds, from 0 to the largest that the dtype holds
// exactly. random_ fills self with them.
//   self: real; from < to   →   like self
// Errors: kInvalidArgument when there is no integer in between, or the bounds are beyond the
// dtype's range.
// Example: sy::random_(x, 0, 10)
// Source: ATen random_; the numbers for a seed are PyTorch's.
#include <limits>

#include "switchyard/ops/random/bounds.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kTypes = kIntegerTypes | kFloatingTypes | Bit(DType::kBool);

void State(ShapeContext& r, const TensorBase& self) { r.OutputLike(self).pointwise = true; }

void RandomShape(ShapeContext& r, const TensorBase& self, Generator*) {
  RequireDType(r, self, kTypes);
  State(r, self);
}

// Floating types round integers beyond their significand; they must not overflow.
bool Holds(DType d, int64_t i) {
  if (d == DType::kFloat16) return i >= -65504 && i <= 65504;  // the others reach beyond int64
  if (d == DType::kBool) return i == 0 || i == 1;
  return Scalar(i).Fits(d) && (i >= 0 || IsSigned(d));
}

void RandomFromShape(ShapeContext& r, const TensorBase& self, int64_t from,
                     std::optional<int64_t> to, Generator*) {
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
  if (!to && d == DType::kUInt64) r.Fail({"to is needed for uint64"});
  const RandomBounds b = BoundsOfRandom(d, from, to);
  const bool none = b.from > b.last || (!to && IsFloating(d) && b.from == b.last);
  if (none) r.Fail({"there is no ", d, " from ", b.from, " to ", b.last});
  if (!Holds(d, b.from)) r.Fail({"from is ", b.from, ", out of range for ", d});
  if (!Holds(d, b.last)) r.Fail({"to - 1 is ", b.last, ", out of range for ", d});
}

void RandomToShape(ShapeContext& r, const TensorBase& self, int64_t to, Generator* g) {
  RandomFromShape(r, self, 0, to, g);
}

}  // namespace

const Operator random_op{"random(Tensor self, *, Generator? generator=None) -> Tensor", RandomShape,
                         kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator random_from_op{
    "random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor",
    RandomFromShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator random_to_op{
    "random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", RandomToShape,
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
