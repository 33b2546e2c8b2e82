// The places that tensors of indices, one for each of a tensor's dimensions, name in it: what index
// and index_put move by. Indices become offsets into the tensor's memory once.
//
//   const IndexPlaces places(call, self, IndicesAlone(call, self, indices));
//   places.offsets; places.count(); places.Moved(self);
//
// Owns: the offsets.
// Threads: any; large indices are read in parallel.
// Errors: kIndexOutOfRange with operator, position, value, dim and its size.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_INDEX_PLACES_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_INDEX_PLACES_H_

#include <vector>

#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/advanced.h"

namespace sy::cpu {

// `indices` without masks, which become the positions where they are true.
std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices);

struct IndexPlaces {
  AdvancedIndex at;
  Tensor offsets;  // int64, contiguous, the indices' common sizes: from self's first element

  IndexPlaces(Call call, const Tensor& self, const std::vector<Tensor>& indices);
  int64_t count() const { return offsets.numel(); }
  Tensor Moved(const Tensor& self) const { return at.Moved(self, 1); }
  // The offsets, as an index of elements of what Moved gives.
  Tensor Index(const Tensor& self) const;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_INDEX_INDEX_PLACES_H_
