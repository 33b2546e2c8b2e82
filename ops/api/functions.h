// Functions that PyTorch has by these names and that are no operators here: each is made of some.
//
//   sy::unique(x);  sy::broadcast_shapes({2, 1}, {3});
//
// They are not in the registry: layers see the operators that they call, and call() does not know
// them. Included by switchyard/ops.h. Owns: nothing. Threads: any. Errors: as the functions they
// call.
#ifndef SWITCHYARD_OPS_API_FUNCTIONS_H_
#define SWITCHYARD_OPS_API_FUNCTIONS_H_

#include <tuple>
#include <vector>

#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"
#include "switchyard/ops/api/arguments.h"

namespace sy {

// The different elements, in ascending order: 1-d, of self's dtype. With the positions or counts of
// each: _unique2; of rows: unique_dim; of neighbours: unique_consecutive.
inline Tensor unique(const Tensor& self) { return std::get<0>(_unique2(self)); }

// The sizes that both broadcast to: from the last dimension on, equal or 1. At most kMaxRank sizes
// each.
// Errors: kInvalidArgument naming both.
inline std::vector<int64_t> broadcast_shapes(const Ints& a, const Ints& b) {
  std::vector<int64_t> sizes(kMaxRank);
  sizes.resize(static_cast<size_t>(Broadcast(a, b, sizes.data(), "broadcast_shapes")));
  return sizes;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_FUNCTIONS_H_
