// The largest and the smallest elements: values, and where they are.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_MAX_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_MAX_H_

#include <optional>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy {

template <class E>
struct MaxKernels {
  template <class R>
  static void Whole(Call call, const Tensor& out, const Tensor& self) {
    E::template Reduce<R>(call, call.dtype(), self, kAllDims, out);
  }
  template <class R>
  static void OfDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim, bool) {
    E::template Reduce<R>(call, call.dtype(), self, DimMask(dim), out);
  }
  template <class R>
  static void OfDim(Call call, const Tensor& values, const Tensor& indices, const Tensor& self,
                    int64_t dim, bool) {
    E::template ReduceBoth<R>(call, call.dtype(), self, DimMask(dim), values, indices);
  }
  template <class R>
  static void Position(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim,
                       bool) {
    E::template ReduceSecond<R>(call, call.dtype(), self, dim ? DimMask(*dim) : kAllDims, out);
  }
  static void Aminmax(Call call, const Tensor& min, const Tensor& max, const Tensor& self,
                      std::optional<int64_t> dim, bool) {
    const uint64_t mask = dim ? DimMask(*dim) : kAllDims;
    E::template Reduce<f::Min>(call, call.dtype(), self, mask, min);
    E::template Reduce<f::Max>(call, call.dtype(), self, mask, max);
  }

  static constexpr DTypeMask kDTypes = kFormula<f::Max>.dtypes();
  static constexpr DTypeMask kPositions = kFormula<f::MaxAt>.dtypes() & ~Bit(DType::kBool);
  Kernel max{"max", E::kDevice, kDTypes, Whole<f::Max>};
  Kernel min{"min", E::kDevice, kDTypes, Whole<f::Min>};
  Kernel amax{"amax", E::kDevice, kDTypes, OfDims<f::Max>};
  Kernel amin{"amin", E::kDevice, kDTypes, OfDims<f::Min>};
  Kernel aminmax{"aminmax", E::kDevice, kDTypes, Aminmax};
  Kernel max_dim{"max.dim", E::kDevice, kFormula<f::MaxAt>.dtypes(), OfDim<f::MaxAt>};
  Kernel min_dim{"min.dim", E::kDevice, kFormula<f::MinAt>.dtypes(), OfDim<f::MinAt>};
  Kernel argmax{"argmax", E::kDevice, kPositions, Position<f::MaxAt>};
  Kernel argmin{"argmin", E::kDevice, kPositions, Position<f::MinAt>};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_MAX_H_
