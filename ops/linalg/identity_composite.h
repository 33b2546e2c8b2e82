// The identity matrix that goes with others.
#ifndef SWITCHYARD_OPS_LINALG_IDENTITY_COMPOSITE_H_
#define SWITCHYARD_OPS_LINALG_IDENTITY_COMPOSITE_H_

#include <optional>

#include "switchyard/ops.h"

namespace sy {

// like: [.., n, n]   →   [n, n]
inline Tensor Identity(const Tensor& like) {
  return eye(like.size(-1), like.dtype(), std::nullopt, like.device());
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_LINALG_IDENTITY_COMPOSITE_H_
