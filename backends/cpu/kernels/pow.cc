// Powers by a number, which is looked at: some have faster loops.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet cube, div, mul, pow, rsqrt, sqrt;
}
namespace {

// Source of the cases, and of what they give for -0 and -inf: ATen's Pow.cpp and PowKernel.cpp.
void PowNumber(Call call, const Tensor& out, const Tensor& self, const Scalar& exponent) {
  const DType dtype = call.dtype();
  const double e = exponent.is_complex() && exponent.complex_data()[1] != 0
                       ? 0.25  // none of the cases
                       : exponent.To<double>();
  if (e == 0) return FillElements(out, 1);
  if (e == 1) return CopyElements(out, self);
  if (e == 2) return RunLoops(loops::mul, dtype, out, self, self);
  if (e == 3) return RunLoops(loops::cube, dtype, out, self);
  if (Contains(loops::sqrt.dtypes, dtype) && dtype != DType::kFloat16) {
    if (e == 0.5) return RunLoops(loops::sqrt, dtype, out, self);
    if (e == -0.5) return RunLoops(loops::rsqrt, dtype, out, self);
    if (e == -1) return RunLoops(loops::div, dtype, out, NumberTensor(1), self);
  }
  RunLoopsKeepingNumber(loops::pow, dtype, out, self, NumberTensor(exponent));
}

const Kernel kernel{"pow.Tensor_Scalar", "cpu", loops::pow.dtypes, PowNumber};

}  // namespace
}  // namespace sy::cpu
