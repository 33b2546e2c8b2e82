// The first elements of rows, or one of them, in the order of SortRows, without sorting all of them
// (device/select.h). Equal elements keep the order of their places.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_SELECT_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_SELECT_H_

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/sort.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {

// The first k of each row in that order.
// values, places, names: as SortRows'.
void TopRows(Call call, const Rows& rows, int64_t k, bool descending, const Tensor& values,
             const Tensor& places, const Tensor& names = Tensor());

// One element of each row: the k-th, or the median.
void SelectOne(Call call, const Tensor& values_out, const Tensor& indices_out, const Tensor& self,
               int64_t dim, int64_t k, Median median);

// What all kernels of device/select.h are given.
SelectArgs SelectArgsOf(const Rows& rows, const Tensor& values, const Tensor& places,
                        const Tensor& names);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_SELECT_H_
