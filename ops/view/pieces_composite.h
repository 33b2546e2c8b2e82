// What makes lists of a tensor's pieces.
//
// Owns: nothing. Threads: any. Errors: kOutOfRange for dim.
#ifndef SWITCHYARD_OPS_VIEW_PIECES_COMPOSITE_H_
#define SWITCHYARD_OPS_VIEW_PIECES_COMPOSITE_H_

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

// The size of self at dim, which is wrapped.
inline int64_t SizeAt(Call call, const Tensor& self, int64_t& dim) {
  if (self.dim() == 0) {
    Fail(ErrorCode::kOutOfRange, call.op(), {"self must have at least one dimension"});
  }
  if (dim < -self.dim() || dim >= self.dim()) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"dim ", dim, " is out of range: expected ", -self.dim(), " to ", self.dim() - 1,
          " for a ", self.dim(), "-d tensor"});
  }
  dim = WrapDim(dim, self.dim());
  return self.sizes()[static_cast<size_t>(dim)];
}

inline std::vector<Tensor> Copies(std::vector<Tensor> pieces) {
  for (Tensor& t : pieces) t = clone(t, MemoryFormat::kContiguous);
  return pieces;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_PIECES_COMPOSITE_H_
