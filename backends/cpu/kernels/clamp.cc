// Limits to numbers and tensors, of which one may be missing.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet clamp, maximum, minimum;
}
namespace {

void ClampTensor(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                 const Tensor& max) {
  const DType dtype = call.dtype();
  if (!max.defined()) return RunLoops(loops::maximum, dtype, out, self, min);
  if (!min.defined()) return RunLoops(loops::minimum, dtype, out, self, max);
  RunLoops(loops::clamp, dtype, out, self, min, max);
}

void Clamp(Call call, const Tensor& out, const Tensor& self, const std::optional<Scalar>& min,
           const std::optional<Scalar>& max) {
  const Tensor none;
  ClampTensor(call, out, self, min ? NumberTensor(*min) : none, max ? NumberTensor(*max) : none);
}

void ClampMax(Call call, const Tensor& out, const Tensor& self, const Scalar& max) {
  RunLoops(loops::minimum, call.dtype(), out, self, NumberTensor(max));
}

void ClampMin(Call call, const Tensor& out, const Tensor& self, const Scalar& min) {
  RunLoops(loops::maximum, call.dtype(), out, self, NumberTensor(min));
}

const Kernel kernel{"clamp", "cpu", loops::clamp.dtypes, Clamp};
const Kernel tensor_kernel{"clamp.Tensor", "cpu", loops::clamp.dtypes, ClampTensor};
const Kernel max_kernel{"clamp_max", "cpu", loops::clamp.dtypes, ClampMax};
const Kernel min_kernel{"clamp_min", "cpu", loops::clamp.dtypes, ClampMin};

}  // namespace
}  // namespace sy::cpu
