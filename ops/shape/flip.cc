// self with the order of positions reversed in the dimensions `dims`; fliplr reverses dimension 1,
// flipud dimension 0.
//   self: any sizes (fliplr: at least 2-d, flipud: 1-d)   →   like self
// Errors: kOutOfRange for a dimension out of range, kInvalidArgument for one named twice or too few
// dimensions.
// Example: sy::flip(x, {0, 1})
// Source: ATen flip, fliplr, flipud.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void FlipShape(ShapeContext& r, const TensorBase& self, IntSpan& dims) {
  WrapDims(r, dims, self);
  OutputSpec& o = r.OutputLike(self);
  if (r.variant() == Variant::kOut) o.strides = nullptr;  // resized row-major, as ATen
}

}  // namespace

const Operator flip_op{"flip(Tensor self, int[] dims) -> Tensor", FlipShape,
                       kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator fliplr_op{"fliplr(Tensor self) -> Tensor", KeyRule::kFirst};
const Operator flipud_op{"flipud(Tensor self) -> Tensor", KeyRule::kFirst};

}  // namespace sy
