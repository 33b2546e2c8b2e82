// self with positions moved along dimensions, those that leave at one end coming in at the other;
// without dims, as if self had one dimension.
//   self: any sizes; shifts, dims: as many, or one shift without dims   →   sizes of self,
//   row-major or channels last as self
// Errors: kInvalidArgument for no shifts or lengths that differ, kOutOfRange for a dimension out of
// range.
// Example: sy::roll(x, 1, 0)
// Source: ATen roll.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void RollRule(Rule& r, const Meta& self, IntSpan shifts, IntSpan dims) {
  if (shifts.empty()) r.Fail({"shifts must not be empty"});
  const bool flat = dims.empty() && shifts.size() == 1;
  if (!flat && shifts.size() != dims.size()) {
    r.Fail({"shifts ", shifts, " and dims ", dims, " must have the same length"});
  }
  bool moves = !flat;  // in each of dims
  for (size_t i = 0; i < dims.size(); ++i) {
    if (self.dim() == 0) r.Fail(ErrorCode::kOutOfRange, {"a 0-d tensor has no dimension to roll"});
    const int64_t size = self.sizes()[static_cast<size_t>(r.WrapDim(dims[i], self))];
    moves &= size != 0 && shifts[i] % size != 0;
  }
  // ATen joins the two parts of each dimension, and an empty part has no format.
  if (self.numel() == 0) {
    r.OutputLike(self);
  } else {
    OutputInFormat(r, self.sizes(), self.dtype(),
                   moves && r.form() != FormKind::kOut ? self.suggest_memory_format()
                                                       : MemoryFormat::kContiguous);
  }
}

}  // namespace

const Operator roll_op{"roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", RollRule,
                       kOut};

}  // namespace sy
