// Search by halving in what is sorted (device/search.h): what searchsorted and isin share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_SEARCH_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_SEARCH_H_

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {

inline Specialised SearchKernel(const char* function) { return {"search", "SearchArgs", function}; }

// Row-major, in the dtype of the computation first and then in that of the search.
inline Tensor Prepared(Call call, const Tensor& t, DType common, DType wide) {
  const Tensor there = t.is_host() ? FromHost(t, DeviceOfKey(call.key)) : t;
  return Dense(call, Dense(call, there, common), wide);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_SEARCH_H_
