// Elements found, or put, by positions: what index_select, gather, scatter, index_copy and their
// kin are. Positions out of range are skipped, and reported at the next synchronising call.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_H_

#include "switchyard/core/scalar.h"
#include "switchyard/registry/kernel.h"

namespace sy::cuda {

// index: int64 or int32, as many dimensions as `self` and `out`; out has its sizes. The element of
// out at p is that of self at p with index[p] along dim.
void GatherElements(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                    const Tensor& index, bool wraps = false);

enum class Combine : uint8_t { kCopy, kAdd, kMultiply };
// The opposite: the element of out at p with index[p] along dim is combined with that of source at
// p, one after the other along dim; of a copy the last one wins. source: dtype of out; undefined:
// `number` for all. Sizes of index are at most source's.
struct CombineOptions {
  Scalar number = 0;
  Scalar alpha = 1;  // of kAdd
  bool wraps = false;
};
void PutElements(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                 const Tensor& source, const CombineOptions& options = {});

// A 1-d or 0-d index of slices along dim, as one of elements of tensors of these sizes.
Tensor IndexOfSlices(const Tensor& index, IntSpan sizes, int64_t dim);
// 0-d tensors as 1-d.
Tensor AtLeast1d(const Tensor& t);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_H_
