// self with the order of positions reversed in the dimensions `dims`; fliplr reverses dimension 1,
// flipud dimension 0.
//   self: any sizes (fliplr: at least 2-d, flipud: 1-d)   →   like self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for one named twice or too few
// dimensions.
// Example: sy::flip(x, {0, 1})
// Source: ATen flip, fliplr, flipud.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void FlipRule(Rule& r, const Meta& self, IntSpan dims) {
  uint64_t mask = 0;
  for (int64_t d : dims) {
    const uint64_t bit = uint64_t{1} << r.WrapDim(d, self);
    if ((mask & bit) != 0) r.Fail({"dim ", d, " appears more than once in ", dims});
    mask |= bit;
  }
  OutputSpec& o = r.OutputLike(self);
  if (r.form() == FormKind::kOut) o.strides = nullptr;  // resized row-major, as ATen
}

}  // namespace

const Operator flip_op{"flip(Tensor self, int[] dims) -> Tensor", FlipRule, kOut};
const Operator fliplr_op{"fliplr(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator flipud_op{"flipud(Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
