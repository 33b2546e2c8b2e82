#include <cmath>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 13;  // elements worth a thread

template <class T>
void Split(const T* x, T* mantissa, int32_t* exponent, int64_t n) {
  ParallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int e = 0;
      mantissa[i] = static_cast<T>(std::frexp(static_cast<double>(x[i]), &e));
      exponent[i] = e;
    }
  });
}

// In row-major copies.
void Frexp(Call, const Tensor& mantissa, const Tensor& exponent, const Tensor& self) {
  const DType dtype = self.dtype();
  const Tensor from = Tensor::Empty(self.sizes(), dtype), to = Tensor::Empty(self.sizes(), dtype);
  const Tensor powers = Tensor::Empty(self.sizes(), DType::kInt32);
  CopyElements(from, self);
  VisitDType<kFloatingTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    Split(from.data<T>(), to.data<T>(), powers.data<int32_t>(), from.numel());
  });
  CopyElements(mantissa, to);
  CopyElements(exponent, powers);
}

const Kernel kernel{"frexp.Tensor", "cpu", kFloatingTypes, Frexp};

}  // namespace
}  // namespace sy::cpu
