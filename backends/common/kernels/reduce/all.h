// all and any, and how many elements are not 0.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_ALL_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_ALL_H_

#include <optional>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/reduce_space.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy {

// An empty list of dimensions reduces none of them, unlike elsewhere.
template <class E, class R>
void Truth(Call call, const Tensor& out, const Tensor& self, std::optional<IntSpan> dim, bool) {
  const uint64_t mask = dim && dim->empty() ? 0 : DimMask(dim);
  E::template Reduce<R>(call, DType::kBool, self, mask, out);
}

template <class E>
struct AllKernels {
  static void CountDims(Call call, const Tensor& out, const Tensor& self, IntSpan dim) {
    E::template Reduce<f::Sum>(call, DType::kBool, self, DimMask(dim), out);
  }
  static void Count(Call call, const Tensor& out, const Tensor& self, std::optional<int64_t> dim) {
    CountDims(call, out, self, dim ? IntSpan(&*dim, 1) : IntSpan());
  }

  static constexpr DTypeMask kTruths = Mask(DType::kBool, DType::kUInt8);
  Kernel all{"all.dims", E::kDevice, kTruths, Truth<E, f::All>};
  Kernel any{"any.dims", E::kDevice, kTruths, Truth<E, f::Any>};
  Kernel count{"count_nonzero", E::kDevice, kCountedTypes, Count};
  Kernel count_dims{"count_nonzero.dim_IntList", E::kDevice, kCountedTypes, CountDims};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_REDUCE_ALL_H_
