// Stable sorting of rows: -0 equals 0, NaN comes last, or first where the order descends.
//
//   SortRows(call, rows, descending, values, places);
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for rows of 2^32 elements and more.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_H_

#include "backends/cuda/kernels/rows.h"
#include "backends/cuda/kernels/types.h"

namespace sy::cuda {

inline constexpr DTypeMask kSortTypes = kIntegers | kWideUnsigned | kFloatingTypes | kBool;

// values, places: row-major like rows; undefined where not asked for. places: int64, where each
// element was in its row, or what `names` (row-major int64) has there. key_bytes: the lower bytes
// of unsigned elements, in which alone they differ; 0: all of them.
void SortRows(Call call, const Rows& rows, bool descending, const Tensor& values,
              const Tensor& places, const Tensor& names = Tensor(), int key_bytes = 0);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_H_
