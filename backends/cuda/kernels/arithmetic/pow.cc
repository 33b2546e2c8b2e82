#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {
namespace {

void PowNumber(Call call, const Tensor& out, const Tensor& self, const Scalar& exponent) {
  const DType dtype = call.dtype();
  const bool real = !exponent.is_complex() || exponent.complex_data()[1] == 0;
  const double e = real ? exponent.To<double>() : 0.25;  // none of the cases
  if (e == 0) return FillElements(call, out, Scalar(1));
  if (e == 1) return CopyElements(call, out, self);
  if (e == 2) return RunFormula(call, kFormula<f::Mul>, out, {&self, &self});
  if (e == 3) return RunFormula(call, kFormula<f::Cube>, out, {&self});
  if (Contains(kFormula<f::Sqrt>.dtypes(), dtype) && dtype != DType::kFloat16) {
    if (e == 0.5) return RunFormula(call, kFormula<f::Sqrt>, out, {&self});
    if (e == -0.5) return RunFormula(call, kFormula<f::Rsqrt>, out, {&self});
    const Tensor one = NumberTensor(Scalar(1));
    if (e == -1) return RunFormula(call, kFormula<f::Div>, out, {&one, &self});
  }
  const Tensor number = NumberTensor(exponent);
  if (number.dtype() != dtype)
    return RunKeepingNumber(call, kFormula<f::Pow>, out, {&self, &number});
  RunFormula(call, kFormula<f::Pow>, out, {&self, &number});
}

const Kernel pow{"pow.Tensor_Scalar", "cuda", kFormula<f::Pow>.dtypes(), PowNumber};

}  // namespace
}  // namespace sy::cuda
