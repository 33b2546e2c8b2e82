// How matrix products of float32 are computed on cuda devices.
//
//   cuda::SetAllowTf32(true);  // factors rounded to 10 bits of mantissa, summed in float32
//
// False until it is set: products are as exact as float32 is. Tensor cores take TF32 alone, and are
// several times as fast. It is set_float32_matmul_precision (core/matmul_precision.h) in other
// words: "high" or "highest".
// Owns: nothing. Threads: any; products that begin later see it.
#ifndef SWITCHYARD_BACKENDS_CUDA_PRODUCTS_H_
#define SWITCHYARD_BACKENDS_CUDA_PRODUCTS_H_

#include "switchyard/core/macros.h"

namespace sy::cuda {

// For the whole process. torch.backends.cuda.matmul.allow_tf32.
SY_API void SetAllowTf32(bool allow);
SY_API bool AllowTf32();

// Whether algorithms of libraries (products, convolutions), and our own beside CUB's, are chosen by
// measuring them on the device at the first call of each kind, as torch.backends.cudnn.benchmark
// says of convolutions; else the libraries' own guess is taken. Off, unless SWITCHYARD_CUDA_MEASURE
// is 1, since another choice is another order of sums. The deterministic switch turns it off.
SY_API void SetMeasureAlgorithms(bool measure);
SY_API bool MeasureAlgorithms();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PRODUCTS_H_
