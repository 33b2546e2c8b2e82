// self laid out again and again: repeat counts for each dimension, those that self has not in
// front; tile is the same with missing counts taken as 1.
//   self: any sizes; repeats: >= 0 each   →   self's sizes times repeats
// Errors: kInvalidArgument for a negative count, or fewer of them (repeat) than self has
// dimensions.
// Example: sy::repeat(x, {2, 1})
// Source: ATen repeat, tile.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RepeatShape(ShapeContext& r, const TensorBase& self, IntSpan repeats) {
  const auto rank = static_cast<int64_t>(repeats.size()), added = rank - self.dim();
  if (added < 0) {
    r.Fail({"repeats ", repeats, " must be at least as many as self's dimensions, ", self.dim()});
  }
  int64_t* sizes = r.Ints(rank);
  for (int64_t i = 0; i < rank; ++i) {
    if (repeats[i] < 0) r.Fail({"repeats must not be negative, got ", repeats});
    const int64_t size = i < added ? 1 : self.sizes()[i - added];
    if (__builtin_mul_overflow(size, repeats[i], &sizes[i]))
      r.Fail({"sizes ", self.sizes(), " repeated ", repeats, " times are too large"});
  }
  r.Output(IntSpan(sizes, repeats.size()), self.dtype());
}

}  // namespace

const Operator repeat_op{"repeat(Tensor self, SymInt[] repeats) -> Tensor", RepeatShape,
                         kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator tile_op{"tile(Tensor self, SymInt[] dims) -> Tensor", KeyRule::kFirst};

}  // namespace sy
