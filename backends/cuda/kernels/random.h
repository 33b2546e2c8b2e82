// Words of a device's Philox generator for kernels that draw.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for a generator of another device; kNotImplemented while a graph is
// captured.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_

#include "switchyard/core/generator.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {

struct ReservedWords {
  uint64_t seed, offset;  // the first counter
};
// generator: null for the device's own.
ReservedWords ReserveWords(Call call, Generator* generator, int64_t words);

// out: int64; two words each.
void FillBits(Call call, const Tensor& out, Generator* generator);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_H_
