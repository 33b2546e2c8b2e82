// Stable sorting of rows: -0 equals 0, NaN comes last, or first where the order descends.
//
//   SortRows(call, rows, descending, values, places);
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for rows of 2^32 elements and more.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_SORT_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_SORT_H_

#include "backends/cuda/engine/rows.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {

struct SortOptions {
  Tensor names = Tensor();  // what is given for each place; row-major int64
  int key_bytes = 0;        // the lower bytes of unsigned elements that alone differ; 0: all
  int64_t keep = -1;        // the first of each row that are written; -1: all
};
// values, places: row-major, as many rows; undefined where not asked for. places: int64, where each
// element was in its row.
void SortRows(Call call, const Rows& rows, bool descending, const Tensor& values,
              const Tensor& places, const SortOptions& options = {});

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_SORT_H_
