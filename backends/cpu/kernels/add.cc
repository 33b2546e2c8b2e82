// self + alpha * other, self - alpha * other, and other - alpha * self.

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet add, add_scaled, sub;
}
namespace {

SY_COLD void AddScaled(DType dtype, const Tensor& out, const Tensor& self, const Tensor& other,
                       const Scalar& alpha) {
  RunLoops(loops::add_scaled, dtype, out, self, other, NumberTensor(alpha));
}

void Add(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
         const Scalar& alpha) {
  if (alpha.is_one()) [[likely]]
    return RunLoops(loops::add, call.dtype(), out, self, other);
  AddScaled(call.dtype(), out, self, other, alpha);
}

Scalar Negative(const Scalar& s) {
  if (s.is_complex()) return Scalar(-s.To<std::complex<double>>());
  if (s.is_floating()) return Scalar(-s.To<double>());
  return Scalar(static_cast<int64_t>(-s.To<uint64_t>()));
}

void Sub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
         const Scalar& alpha) {
  if (alpha.is_one()) [[likely]]
    return RunLoops(loops::sub, call.dtype(), out, self, other);
  AddScaled(call.dtype(), out, self, other, Negative(alpha));
}

void Rsub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
          const Scalar& alpha) {
  Sub(call, out, other, self, alpha);
}

const Kernel add{"add.Tensor", "cpu", loops::add.dtypes, Add};
const Kernel sub{"sub.Tensor", "cpu", loops::sub.dtypes, Sub};
const Kernel rsub{"rsub.Tensor", "cpu", loops::sub.dtypes, Rsub};

}  // namespace
}  // namespace sy::cpu
