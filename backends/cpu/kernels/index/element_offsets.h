// Elements of a tensor by their row-major numbers, which may count from the end: what take and put
// are.
//
//   const Tensor at = ElementOffsets(call, index, self);
//   SelectSlices(out, MemoryOf(self), 0, at.data<int64_t>(), at.numel());
//
// Owns: nothing. Threads: any; large indices are read in parallel.
// Errors: kIndexOutOfRange with operator, position, value, dim and its size.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_OFFSETS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_OFFSETS_H_

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {

// Where the elements with these numbers lie in t: int64, contiguous, sizes of index.
Tensor ElementOffsets(Call call, const Tensor& index, const Tensor& t);

// t's memory, from its first element to its last, as a vector.
Tensor MemoryOf(const Tensor& t);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_ELEMENT_OFFSETS_H_
