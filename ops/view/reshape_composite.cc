// reshape by view, of a copy where there is none of self; reshape_as and ravel.

#include <array>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Reshape(Call call, const Tensor& self, IntSpan shape) {
  std::array<int64_t, kMaxRank> sizes, strides;
  if (shape.size() > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"at most ", kMaxRank, " dimensions, got ", shape.size()});
  }
  InferSize(shape, self.numel(), sizes.data(), call.op());
  const IntSpan wanted(sizes.data(), shape.size());
  const bool viewable =
      ViewStrides(self.sizes(), self.strides(), self.numel(), wanted, strides.data());
  return view(viewable ? self : clone(self, MemoryFormat::kContiguous), wanted);
}
const Composite reshape_body{"reshape", Reshape};

Tensor ReshapeAs(Call, const Tensor& self, const Tensor& other) {
  return reshape(self, other.sizes());
}
Tensor Ravel(Call, const Tensor& self) { return reshape(contiguous(self), {-1}); }
const Composite reshape_as_body{"reshape_as", ReshapeAs};
const Composite ravel_body{"ravel", Ravel};

}  // namespace
}  // namespace sy
