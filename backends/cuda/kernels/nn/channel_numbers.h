// Numbers of channels, in double: what normalisations by channels are given.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CHANNEL_NUMBERS_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CHANNEL_NUMBERS_H_

#include "switchyard/core/tensor.h"

namespace sy::cuda {

inline constexpr DType kChannelType = DType::kFloat64;

// Null where undefined.
inline const double* Numbers(const Tensor& t) {
  return t.defined() ? static_cast<const double*>(t.data()) : nullptr;
}
inline double* Numbers(Tensor& t) { return t.defined() ? static_cast<double*>(t.data()) : nullptr; }

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CHANNEL_NUMBERS_H_
