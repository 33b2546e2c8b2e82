// Limits to numbers and tensors, of which one may be missing.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cpu {
namespace {

void ClampTensor(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                 const Tensor& max) {
  const DType dtype = call.dtype();
  if (!max.defined()) return RunLoops(kLoops<f::Maximum>, dtype, out, self, min);
  if (!min.defined()) return RunLoops(kLoops<f::Minimum>, dtype, out, self, max);
  RunLoops(kLoops<f::Clamp>, dtype, out, self, min, max);
}

void Clamp(Call call, const Tensor& out, const Tensor& self, const std::optional<Scalar>& min,
           const std::optional<Scalar>& max) {
  const Tensor none;
  ClampTensor(call, out, self, min ? NumberTensor(*min) : none, max ? NumberTensor(*max) : none);
}

const Kernel kernel{"clamp", "cpu", kFormula<f::Clamp>.dtypes(), Clamp};
const Kernel tensor_kernel{"clamp.Tensor", "cpu", kFormula<f::Clamp>.dtypes(), ClampTensor};

}  // namespace
}  // namespace sy::cpu
