// linalg_vector_norm. Norms of complex numbers are those of their magnitudes; 16-bit numbers are
// reduced in float32.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_NORM_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_NORM_H_

#include <cmath>
#include <optional>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy {

template <class E>
struct NormKernels {
  static void Norm(Call call, const Tensor& out, const Tensor& self, const Scalar& ord,
                   std::optional<IntSpan> dim, bool, Optional<DType>) {
    const uint64_t mask = DimMask(dim);
    const double p = ord.To<double>();
    DType dtype = call.dtype();
    const auto in = [&](DType d) { return Call{call.kernel, WithDType(call.key, d)}; };
    if (p == 0) return E::template Reduce<f::Sum>(call, DType::kBool, self, mask, out);
    Tensor x = self;
    if (IsComplex(dtype) || (p != 1 && p != 2)) {
      const bool narrow = dtype == DType::kComplex32 || Contains(kHalfTypes, dtype);
      const DType real = narrow ? DType::kFloat32 : RealType(dtype);
      x = Tensor::Empty(self.sizes(), real, self.device());
      Compute<E, f::Abs>(in(IsComplex(dtype) ? ComplexType(real) : real), x, self);
      dtype = real;
    }
    if (p == 1) return E::template Reduce<f::SumOfMagnitudes>(call, dtype, x, mask, out);
    if (p == 2)
      return E::template Reduce<f::SumOfSquares>(call, dtype, x, mask, out,
                                                 {ReduceFinish::kSquareRoot});
    if (std::isinf(p))
      return p > 0 ? E::template Reduce<f::Max>(call, dtype, x, mask, out)
                   : E::template Reduce<f::Min>(call, dtype, x, mask, out);
    Compute<E, f::Pow>(in(dtype), x, x, NumberTensor(ord));
    E::template Reduce<f::Sum>(call, dtype, x, mask, out, {ReduceFinish::kRoot, p});
  }

  Kernel kernel{"linalg_vector_norm", E::kDevice,
                kFloatingTypes | kComplexTypes | Bit(DType::kComplex32), Norm};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_NORM_H_
