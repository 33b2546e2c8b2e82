// eye: zeros, with ones on the diagonal.

#include "ops/create/filled_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireSides(Call call, int64_t n, int64_t m) {
  if (n >= 0 && m >= 0) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"n and m must not be negative, got ", n, " and ", m});
}
Tensor EyeM(Call call, int64_t n, int64_t m, Optional<DType> dtype, Optional<Layout> layout,
            Optional<Device> device, Optional<bool> pin_memory) {
  RequireSides(call, n, m);
  Tensor t = zeros({n, m}, dtype, layout, device, pin_memory);
  fill_(diagonal(t), 1);
  return t;
}
Tensor Eye(Call call, int64_t n, Optional<DType> dtype, Optional<Layout> layout,
           Optional<Device> device, Optional<bool> pin_memory) {
  return EyeM(call, n, n, dtype, layout, device, pin_memory);
}
void EyeMOut(Call call, int64_t n, int64_t m, const Tensor& out) {
  RequireSides(call, n, m);
  const int64_t size[] = {n, m};
  FilledOut<0>(call, size, out);
  fill_(diagonal(out), 1);
}
void EyeOut(Call call, int64_t n, const Tensor& out) { EyeMOut(call, n, n, out); }
const Composite eye_body{"eye", Eye};
const Composite eye_m_body{"eye.m", EyeM};
const Composite eye_out_body{"eye.out", EyeOut};
const Composite eye_m_out_body{"eye.m_out", EyeMOut};

}  // namespace
}  // namespace sy
