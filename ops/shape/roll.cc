// self with positions moved along dimensions, those that leave at one end coming in at the other;
// without dims, as if self had one dimension.
//   self: any sizes; shifts, dims: as many, or one shift without dims   →   sizes of self,
//   row-major or channels last as self
// Errors: kInvalidArgument for no shifts or lengths that differ, kOutOfRange for a dimension out of
// range.
// Example: sy::roll(x, 1, 0)
// Source: ATen roll.
#include <array>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// Leaves each dimension once, with its shift brought to 0 … size - 1; without dims, the one shift,
// to 0 … numel - 1. Returns whether each of the given shifts moves something.
bool Normalise(ShapeContext& r, const TensorBase& self, IntSpan& shifts, IntSpan& dims) {
  const auto shift_in = [](int64_t shift, int64_t size) {
    return size == 0 ? 0 : (shift % size + size) % size;
  };
  if (dims.empty()) {
    shifts = r.Copy(std::array{shift_in(shifts[0], self.numel())});
    return false;
  }
  int64_t total[kMaxRank] = {};
  uint64_t named = 0;
  bool moves = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (self.dim() == 0) r.Fail(ErrorCode::kOutOfRange, {"a 0-d tensor has no dimension to roll"});
    const int64_t d = r.WrapDim(dims[i], self), size = self.sizes()[d];
    const int64_t shift = shift_in(shifts[i], size);
    moves &= shift != 0;
    named |= uint64_t{1} << d;
    total[d] = shift_in(total[d] + shift, size);
  }
  int64_t *to_dims = r.Ints(self.dim()), *to_shifts = r.Ints(self.dim());
  size_t n = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if ((named >> d & 1) == 0) continue;
    to_dims[n] = d;
    to_shifts[n++] = total[d];
  }
  dims = {to_dims, n};
  shifts = {to_shifts, n};
  return moves;
}

void RollShape(ShapeContext& r, const TensorBase& self, IntSpan& shifts, IntSpan& dims) {
  if (shifts.empty()) r.Fail({"shifts must not be empty"});
  const bool flat = dims.empty() && shifts.size() == 1;
  if (!flat && shifts.size() != dims.size()) {
    r.Fail({"shifts ", shifts, " and dims ", dims, " must have the same length"});
  }
  const bool moves = Normalise(r, self, shifts, dims);
  // ATen joins the two parts of each dimension, and an empty part has no format.
  if (self.numel() == 0) {
    r.OutputLike(self);
  } else {
    OutputInFormat(r, self.sizes(), self.dtype(),
                   moves && r.variant() != Variant::kOut ? self.suggest_memory_format()
                                                         : MemoryFormat::kContiguous);
  }
}

}  // namespace

const Operator roll_op{"roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", RollShape,
                       kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
