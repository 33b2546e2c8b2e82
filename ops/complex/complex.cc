// Complex numbers of real and imaginary parts.
//   real, imag: of one dtype, float16, float32 or float64, sizes that broadcast   →   common sizes;
//   the complex dtype with such parts
// Errors: kInvalidArgument when dtypes differ or are others.
// Example: sy::complex(x, y)
// Source: ATen complex.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ComplexShape(PointwiseContext& r, const TensorBase& real, const TensorBase& imag) {
  RequireDType(r, real, kFloatingTypes & ~Bit(DType::kBFloat16), "real");
  RequireSameDType(r, real, imag, "real", "imag");
  r.Pointwise(real, imag);
  const DType dtype = ComplexType(real.dtype());
  OutputSpec& o = r.output(0);
  o.dtype = dtype;
  o.cast = CastPolicy::kSame;
}

}  // namespace

const Operator complex_op{"complex(Tensor real, Tensor imag) -> Tensor", ComplexShape, kOut,
                          kFormula<f::MakeComplex>};

}  // namespace sy
