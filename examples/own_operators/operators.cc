// Operators that a project of its own brings along: one with a shape function, a pointwise one, and
// a composite.

#include "switchyard/examples/own_operators/smoothstep.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/shape_functions.h"

namespace demo {
namespace {

using sy::Composite;
using sy::Operator;
using sy::ShapeContext;
using sy::Tensor;
using sy::TensorBase;

// Rows divided by their root mean square.
//   x: [.., n], floating; n > 0; eps is added to the mean of squares   →   like x
void RmsNormShape(ShapeContext& r, const TensorBase& x, double) {
  sy::RequireDType(r, x, sy::kFloatingTypes, "x");
  if (x.dim() == 0) r.Fail({"x must have a dimension, got a 0-d tensor"});
  if (x.sizes().back() == 0) r.Fail({"rows of x must not be empty, got sizes ", x.sizes()});
  r.Output(x.sizes(), x.dtype());
}
const Operator rms_norm{"demo::rms_norm(Tensor x, float eps=1e-6) -> Tensor", RmsNormShape,
                        sy::kOut};

// 3x² - 2x³ of each element: a formula, which backends compute with.
const Operator smoothstep{"demo::smoothstep(Tensor self) -> Tensor", sy::UnaryFloatShape,
                          sy::kInPlace | sy::kOut, sy::kFormula<Smoothstep>};

// up * gate / (1 + e^-gate): made of other operators, so that it needs no kernel on any device.
const Operator silu_gate{"demo::silu_gate(Tensor gate, Tensor up) -> Tensor"};
Tensor SiluGate(sy::Call, const Tensor& gate, const Tensor& up) {
  return up * gate / (sy::exp(-gate) + 1);
}
const Composite silu_gate_body{"demo::silu_gate", SiluGate};

}  // namespace
}  // namespace demo
