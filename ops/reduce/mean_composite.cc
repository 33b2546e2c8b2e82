// mean of everything by that of dimensions.

#include <optional>

#include "switchyard/core/promotion.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Mean(Call, const Tensor& self, Optional<DType> dtype) {
  return mean(self, std::nullopt, false, dtype);
}
void MeanOut(Call call, const Tensor& self, Optional<DType> dtype, const Tensor& out) {
  const DType result = dtype.value_or(self.dtype());
  if (!CanCast(result, out.dtype())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the result is ", result, ", which cannot be stored in out, which is ", out.dtype()});
  }
  mean_out(out, self, std::nullopt, false, dtype);
}
const Composite mean_all_body{"mean", Mean};
const Composite mean_all_out_body{"mean.dtype_out", MeanOut};

}  // namespace
}  // namespace sy
