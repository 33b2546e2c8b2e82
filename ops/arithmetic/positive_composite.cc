// positive: self as it is.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Positive(Call call, const Tensor& self) {
  if (self.dtype() == DType::kBool) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must not be bool"});
  }
  return self;
}
const Composite positive_body{"positive", Positive};

}  // namespace
}  // namespace sy
