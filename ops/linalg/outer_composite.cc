// outer by mul of a column and a row.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireVectors(Call call, const Tensor& a, const Tensor& b) {
  if (a.dim() == 1 && b.dim() == 1) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"both must be vectors, got sizes ", a.sizes(), " and ", b.sizes()});
}
Tensor Outer(Call call, const Tensor& self, const Tensor& vec2) {
  RequireVectors(call, self, vec2);
  return mul(unsqueeze(self, 1), vec2);
}
void OuterOut(Call call, const Tensor& self, const Tensor& vec2, const Tensor& out) {
  RequireVectors(call, self, vec2);
  mul_out(out, unsqueeze(self, 1), vec2);
}
const Composite outer_body{"outer", Outer};
const Composite outer_out_body{"outer.out", OuterOut};
const Composite ger_body{"ger", Outer};
const Composite ger_out_body{"ger.out", OuterOut};

}  // namespace
}  // namespace sy
