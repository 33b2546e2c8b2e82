// nanmean by nansum and a count.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Nanmean(Call call, const Tensor& self, ::std::optional<IntSpan> dim, bool keepdim,
               Optional<DType> dtype) {
  if (!IsFloating(self.dtype())) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be floating, got ", self.dtype()});
  }
  const Tensor count = sum(logical_not(isnan(self)), dim, keepdim);
  return div(nansum(self, dim, keepdim, dtype), count);
}
const Composite nanmean_body{"nanmean", Nanmean};

}  // namespace
}  // namespace sy
