// Sums (cumsum) or products (cumprod) of all elements along `dim` up to each of them.
//   self: any sizes, not complex32   →   like self, row-major; `dtype` if given, int64 for integers
//   and bool, else dtype of self; in place: dtype of self
// float32 is accumulated in float64, 16-bit floats in float32.
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument when out= has another dtype.
// Example: sy::cumsum(x, 0)
// Source: ATen cumsum, cumprod.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CumulateShape(ShapeContext& r, const TensorBase& self, int64_t& dim, Optional<DType> dtype) {
  dim = r.WrapDim(dim, self);
  const bool in_place = r.variant() == Variant::kInPlace;
  const DType result = in_place ? dtype.value_or(self.dtype()) : AccumulatedDType(r, self, dtype);
  r.Output(self.sizes(), result).pointwise = true;  // may be written where it is read
}

}  // namespace

const Operator cumsum_op{"cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                         CumulateShape, kInPlace | kOut};
const Operator cumprod_op{"cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
                          CumulateShape, kInPlace | kOut};

}  // namespace sy
