// Each element, NaN replaced by `nan` and infinities by `posinf` and `neginf`; of complex numbers,
// each part.
//   self: any sizes; nan: 0 by default; posinf, neginf: by default the largest and smallest finite
//   number of self's dtype   →   like self
// Example: sy::nan_to_num(x, 0.0)
// Source: ATen nan_to_num.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NanToNumShape(PointwiseContext& r, const TensorBase& self, std::optional<double>,
                   std::optional<double>, std::optional<double>) {
  UnaryShape(r, self);
  // ATen copies integers, after it has resized out= by their sizes.
  if (r.variant() == Variant::kOut && IsIntegral(self.dtype(), true)) r.output(0).strides = nullptr;
}

}  // namespace

const Operator nan_to_num_op{
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    NanToNumShape, kInPlace | kOut};

}  // namespace sy
