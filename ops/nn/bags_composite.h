// Which bag each index of embedding_bag lies in.
//
//   const Tensor bag = BagOfEach(indices, offsets);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_OPS_NN_BAGS_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_BAGS_COMPOSITE_H_

#include <optional>

#include "switchyard/ops.h"

namespace sy {

// offsets: one for each bag, ascending from 0. The result: [indices], int64.
inline Tensor BagOfEach(const Tensor& indices, const Tensor& offsets) {
  const Tensor positions = arange(indices.numel(), offsets.dtype(), std::nullopt, offsets.device());
  return sub_(searchsorted(offsets, positions, false, true), 1);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_BAGS_COMPOSITE_H_
