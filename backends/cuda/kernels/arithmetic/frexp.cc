#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/library.h"

namespace sy::cuda {
namespace {

void Frexp(Call call, const Tensor& mantissa, const Tensor& exponent, const Tensor& self) {
  RunFormula(call, kFormula<f::FrexpExponent>, exponent, {&self});
  RunFormula(call, kFormula<f::FrexpMantissa>, mantissa, {&self});
}
const Kernel frexp{"frexp.Tensor", "cuda", kFloatingTypes, Frexp};

}  // namespace
}  // namespace sy::cuda
