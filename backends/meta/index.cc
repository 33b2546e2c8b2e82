// index on meta: sizes follow from indices, but not from masks, whose values decide.

#include "switchyard/core/error.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/index/advanced.h"

namespace sy {
namespace {

Tensor Index(Call call, const Tensor& self, TensorList indices) {
  if (HasMask(indices)) {
    Fail(ErrorCode::kDataDependent, call.op(),
         {"the sizes of the result depend on the values of a mask, which meta tensors do not "
          "have"});
  }
  const AdvancedIndex at(call.op(), self, indices);
  return Tensor::EmptyStrided(at.sizes(), at.Strides(self, indices), self.dtype(), self.device());
}

const Kernel index{"index.Tensor", "meta", kAnyDType, Index};

}  // namespace
}  // namespace sy
