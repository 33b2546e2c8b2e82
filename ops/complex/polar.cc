// Complex numbers of magnitudes and angles, in radians.
//   abs, angle: of one dtype, float32 or float64, sizes that broadcast   →   common sizes; the
//   complex dtype with such parts
// Errors: kInvalidArgument when dtypes differ or are others.
// Example: sy::polar(x, y)
// Source: ATen polar.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PolarShape(PointwiseContext& r, const TensorBase& abs, const TensorBase& angle) {
  RequireDType(r, abs, Mask(DType::kFloat32, DType::kFloat64), "abs");
  RequireSameDType(r, abs, angle, "abs", "angle");
  r.Pointwise(abs, angle);
  const DType dtype = ComplexType(abs.dtype());
  OutputSpec& o = r.output(0);
  o.dtype = dtype;
  o.cast = CastPolicy::kSame;
}

}  // namespace

const Operator polar_op{"polar(Tensor abs, Tensor angle) -> Tensor", PolarShape, kOut,
                        kFormula<f::Polar>};

}  // namespace sy
