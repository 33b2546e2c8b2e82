// Questions that bodies ask of their arguments.
#ifndef SWITCHYARD_OPS_CHECKS_H_
#define SWITCHYARD_OPS_CHECKS_H_

#include <exception>
#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy {

// 0 … t.dim() - 1. Errors: kOutOfRange, also for every dim of a 0-d tensor.
inline int64_t WrapDimOf(Call call, int64_t dim, const Tensor& t) {
  if (t.dim() == 0 || dim < -t.dim() || dim >= t.dim()) {
    Fail(ErrorCode::kOutOfRange, call.op(),
         {"dim ", dim, " is out of range for a ", t.dim(), "-d tensor"});
  }
  return WrapDim(dim, t.dim());
}

inline void RequireFloatingOrComplex(Call call, const Tensor& self) {
  if (IsFloating(self.dtype()) || IsComplex(self.dtype())) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must be floating or complex, got ", self.dtype()});
}

// False on devices whose tensors have sizes but no elements: meta.
inline bool HasData(const Tensor& t) { return BackendOf(t.device().type).allocator() != nullptr; }

// Room for a list of n tensors, however many a caller asks for. Errors: kOutOfMemory.
inline void Reserve(Call call, std::vector<Tensor>& list, int64_t n) {
  try {
    list.reserve(static_cast<size_t>(n));
  } catch (const std::exception&) {  // what a vector throws depends on how much too many there are
    Fail(ErrorCode::kOutOfMemory, call.op(), {"out of memory for a list of ", n, " tensors"});
  }
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_CHECKS_H_
