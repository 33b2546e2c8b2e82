// Positions that may count from the end (-1 is the last), read and tested before anything is
// written.
//
//   const Tensor at = WrappedPositions(call, index, dim, size);   // each 0 … size - 1
//
// Threads: any; large indices are read in parallel.
// Errors: kIndexOutOfRange with operator, position, value, dim and its size.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_WRAPPED_POSITIONS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_WRAPPED_POSITIONS_H_

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// offsets: contiguous int64, sizes of index. Each grows by its position in `dim`, which has `size`
// elements `stride` apart; the first one's are set. index: int64 or int32, each -size … size - 1.
void AddOffsets(Call call, const Tensor& offsets, const Tensor& index, int64_t dim, int64_t size,
                int64_t stride, bool first = false);

// Contiguous, int64, sizes of index.
Tensor WrappedPositions(Call call, const Tensor& index, int64_t dim, int64_t size);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_WRAPPED_POSITIONS_H_
