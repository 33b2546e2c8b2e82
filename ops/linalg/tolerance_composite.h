// Up to which part of the largest singular value others count as 0, where nobody says.
#ifndef SWITCHYARD_OPS_LINALG_TOLERANCE_COMPOSITE_H_
#define SWITCHYARD_OPS_LINALG_TOLERANCE_COMPOSITE_H_

#include <algorithm>
#include <limits>

#include "switchyard/core/tensor.h"

namespace sy {

// The dtype's precision times the larger side.
inline double DefaultRtol(const Tensor& a) {
  const double precision = RealType(a.dtype()) == DType::kFloat64
                               ? std::numeric_limits<double>::epsilon()
                               : std::numeric_limits<float>::epsilon();
  return precision * static_cast<double>(std::max(a.size(-1), a.size(-2)));
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_LINALG_TOLERANCE_COMPOSITE_H_
