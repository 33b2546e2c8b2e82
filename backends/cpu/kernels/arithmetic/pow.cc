// Powers by a number, which is looked at: some have faster loops.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cpu {
namespace {

// Source of the cases, and of what they give for -0 and -inf: ATen's Pow.cpp and PowKernel.cpp.
void PowNumber(Call call, const Tensor& out, const Tensor& self, const Scalar& exponent) {
  const DType dtype = call.dtype();
  const double e = exponent.is_complex() && exponent.complex_data()[1] != 0
                       ? 0.25  // none of the cases
                       : exponent.To<double>();
  if (e == 0) return FillElements(out, 1);
  if (e == 1) return CopyElements(out, self);
  if (e == 2) return RunLoops(kLoops<f::Mul>, dtype, out, self, self);
  if (e == 3) return RunLoops(kLoops<f::Cube>, dtype, out, self);
  if (Contains(kFormula<f::Sqrt>.dtypes(), dtype) && dtype != DType::kFloat16) {
    if (e == 0.5) return RunLoops(kLoops<f::Sqrt>, dtype, out, self);
    if (e == -0.5) return RunLoops(kLoops<f::Rsqrt>, dtype, out, self);
    if (e == -1) return RunLoops(kLoops<f::Div>, dtype, out, NumberTensor(1), self);
  }
  RunLoopsKeepingNumber(kLoops<f::Pow>, dtype, out, self, NumberTensor(exponent));
}

const Kernel kernel{"pow.Tensor_Scalar", "cpu", kFormula<f::Pow>.dtypes(), PowNumber};

}  // namespace
}  // namespace sy::cpu
