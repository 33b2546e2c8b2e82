// The dtypes that reductions serve: those that are summed, and those that are ordered.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_DTYPES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_DTYPES_H_

#include "backends/cuda/plan/types.h"

namespace sy::cuda {

inline constexpr DTypeMask kSummed =
    kBool | kIntegers | kWideUnsigned | kHalves | kFloats | kComplexes;
inline constexpr DTypeMask kOrdered = kBool | kIntegers | kHalves | kFloats;

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_REDUCE_DTYPES_H_
