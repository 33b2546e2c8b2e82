// fill by a number that a tensor holds, and zero, by fill_ and copies.

#include "switchyard/core/overlap.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor FillTensor(Call call, const Tensor& self, const Tensor& value) {
  if (value.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"value must be 0-d, got sizes ", value.sizes()});
  }
  Tensor t = empty_like(self);
  copy_(t, value);
  return t;
}
void FillTensorInPlace(Call call, const Tensor& self, const Tensor& value) {
  if (value.dim() != 0) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"value must be 0-d, got sizes ", value.sizes()});
  }
  copy_(self, OverlapOf(self, value) == Overlap::kNo ? value : clone(value));
}
Tensor Zero(Call, const Tensor& self) { return zeros_like(self); }
void ZeroInPlace(Call, const Tensor& self) { fill_(self, 0); }
const Composite fill_tensor_body{"fill.Tensor", FillTensor};
const Composite fill_tensor_in_place_body{"fill_.Tensor", FillTensorInPlace};
const Composite zero_body{"zero", Zero};
const Composite zero_in_place_body{"zero_", ZeroInPlace};

}  // namespace
}  // namespace sy
