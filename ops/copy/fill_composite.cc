// fill by a number that a tensor holds, and zero, by fill_ and copies.

#include <algorithm>

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
void FillDiagonal(Call call, const Tensor& self, const Scalar& value, bool wrap) {
  const int64_t rank = self.dim();
  if (rank < 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have at least 2 dimensions, got sizes ", self.sizes()});
  }
  int64_t least = self.size(0), step = 0;
  for (int64_t d = 0; d < rank; ++d) {
    if (rank > 2 && self.size(d) != least) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"more than 2 dimensions must be of one size, got sizes ", self.sizes()});
    }
    least = ::std::min(least, self.size(d));
    step += self.strides()[static_cast<size_t>(d)];
  }
  const int64_t offset = self.storage_offset();
  const int64_t period = self.size(1) + 1;  // rows from one diagonal to the next
  const int64_t whole = wrap && rank == 2 && least > 0 ? self.size(0) / period : 0;
  if (whole == 0) {
    fill_(as_strided(self, {least}, {step}, offset), value);
    return;
  }
  const int64_t between = period * self.strides()[0], left = self.size(0) - whole * period;
  fill_(as_strided(self, {whole, self.size(1)}, {between, step}, offset), value);
  fill_(as_strided(self, {left}, {step}, offset + whole * between), value);
}
const Composite fill_diagonal_body{"fill_diagonal_", FillDiagonal};

}  // namespace
}  // namespace sy
