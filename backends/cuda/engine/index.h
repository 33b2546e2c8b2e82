// Elements found, or put, by positions: what index_select, gather, scatter, index_copy and their
// kin are. Positions out of range are skipped, and reported at the next synchronising call.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_INDEX_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_INDEX_H_

#include <vector>

#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/combine.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/core/scalar.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// index: an integer tensor, as many dimensions as `self` and `out`; out has its sizes. The element
// of out at p is that of self at p with index[p] along dim. sparse: what is out of range is left as
// it is, and not reported.
void GatherElements(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                    const Tensor& index, bool wraps = false, bool sparse = false);

// The opposite: the element of out at p with index[p] along dim is combined with that of source at
// p, one after the other along dim; of a copy the last one wins. source: dtype of out; undefined:
// `number` for all. Sizes of index are at most source's.
struct CombineOptions {
  Scalar number = 0;
  Scalar alpha = 1;  // of kAdd
  bool wraps = false;
  bool round_each = false;     // 16-bit floats are rounded after each step, not once at the end
  bool round_product = false;  // and what alpha makes of an element, before
  bool mean = false;           // sums are divided by the number of summands
  bool with_self = true;       // what is in a place counts
};
void PutElements(Call call, Combine how, const Tensor& out, int64_t dim, const Tensor& index,
                 const Tensor& source, const CombineOptions& options = {});

// "sum", "prod", "mean", "amax", "amin" of elements that meet.
void ReduceElements(Call call, std::string_view reduce, const Tensor& out, int64_t dim,
                    const Tensor& index, const Tensor& source, bool with_self, bool round_each);

// Where elements lie, as numbers of elements from `out`'s first: those that `end`, which is above
// all of them, stands for are left out.
struct LinearIndices {
  Tensor keys;  // uint32 or uint64, contiguous, 1-d
  int64_t end;
  bool unique;  // none occurs twice
};
// Where the indices of a tensor's dimensions (undefined: none) point; they have these sizes, to
// which they expand.
LinearIndices LinearIndicesOf(Call call, const Tensor& self, const std::vector<Tensor>& indices,
                              IntSpan sizes);
// to, from: as many dimensions; from has the elements of one index after the other along dim, where
// out goes by indices.
void PutAtLinearIndices(Call call, Combine how, const Tensor& out, int64_t dim,
                        const LinearIndices& places, const Tensor& from,
                        const CombineOptions& options = {});

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_INDEX_H_
