// Nearest integer of each element, halves to the even one, in self's dtype; with `decimals`, the
// nearest multiple of 10 to the power -decimals.
//   self: any sizes, real and not bool; floating with decimals   →   like self
// Errors: kNotImplemented for bool and complex, and for integers with decimals.
// Example: sy::round(x, 2)
// Source: ATen round, special_round.
#include "switchyard/ops/formulas/rounding.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RoundDecimalsShape(PointwiseContext& r, const TensorBase& self, int64_t) {
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator round_op{"round(Tensor self) -> Tensor", RoundingShape, kInPlace | kOut,
                        kFormula<f::Round>};
const Operator round_decimals_op{"round.decimals(Tensor self, *, int decimals) -> Tensor",
                                 RoundDecimalsShape, kInPlace | kOut};
const Operator special_round_op{"special_round(Tensor self, *, int decimals=0) -> Tensor",
                                SameKernels("round.decimals", RoundDecimalsShape), kOut};

}  // namespace sy
