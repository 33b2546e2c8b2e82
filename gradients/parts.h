// Parts of tensors.
//
//   WithZeros(part, source.sizes())
//
// Owns: nothing. Threads: any. Errors: the operators'.
#ifndef SWITCHYARD_GRADIENTS_PARTS_H_
#define SWITCHYARD_GRADIENTS_PARTS_H_

#include <cstdint>
#include <vector>

#include "switchyard/ops.h"

namespace sy {

// The first elements of a tensor of `sizes` along each dim, and zeros for the others.
inline Tensor WithZeros(const Tensor& part, IntSpan sizes) {
  if (sizes.empty()) return reshape(part, {});
  std::vector<int64_t> pad;
  pad.reserve(2 * sizes.size());
  bool smaller = false;
  for (size_t d = sizes.size(); d-- > 0;) {
    const auto dim = static_cast<int64_t>(d);
    const int64_t n = sizes[d] - (part.dim() > dim ? part.size(dim) : 1);
    pad.push_back(0);
    pad.push_back(n);
    smaller = smaller || n > 0;
  }
  return smaller ? constant_pad_nd(part, pad, 0) : part;
}

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_PARTS_H_
