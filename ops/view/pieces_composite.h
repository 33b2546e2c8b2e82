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

inline void RequireCount(Call call, const std::vector<Tensor>& pieces, TensorList out) {
  if (pieces.size() == out.size()) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected out to be ", pieces.size(), " tensors, got ", out.size()});
}

inline void RequireBroadcast(Call call, const Tensor& piece, const Tensor& out) {
  const IntSpan from = piece.sizes(), to = out.sizes();
  bool fits = from.size() <= to.size();
  for (size_t i = 1; fits && i <= from.size(); ++i)
    fits = from[from.size() - i] == 1 || from[from.size() - i] == to[to.size() - i];
  if (fits) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"expected a tensor in out to which sizes ", from, " broadcast, got sizes ", to});
}

// Into tensors of the pieces' dtype, which are resized where they have other sizes.
inline void StorePieces(Call call, const std::vector<Tensor>& pieces, TensorList out) {
  RequireCount(call, pieces, out);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].dtype() == out[i].dtype()) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected tensor ", i, " of out of dtype ", pieces[i].dtype(), ", got ", out[i].dtype()});
  }
  for (size_t i = 0; i < pieces.size(); ++i)
    copy_(
        SameSizes(out[i].sizes(), pieces[i].sizes()) ? out[i] : resize_(out[i], pieces[i].sizes()),
        pieces[i]);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_VIEW_PIECES_COMPOSITE_H_
