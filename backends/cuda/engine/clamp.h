// Elements between limits.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_CLAMP_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_CLAMP_H_

#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = self between min and max, which may be numbers; undefined: no limit; not both.
void ClampElements(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                   const Tensor& max);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_CLAMP_H_
