// Random bits for kernels that draw by them.
//
// Owns: nothing. Threads: any.
// Errors: as DrawPhilox's.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_

#include "switchyard/core/generator.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {

// out: int64; two words of the generator's stream each. generator null: the device's default one.
void FillBits(Call call, const Tensor& out, Generator* generator);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_
