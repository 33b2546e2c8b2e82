// arange with what is left out, and into tensors that are given.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Arange(Call, const Scalar& end, Optional<DType> dtype, Optional<Layout> layout,
              Optional<Device> device, Optional<bool> pin_memory) {
  return arange(0, end, 1, dtype, layout, device, pin_memory);
}
Tensor ArangeStart(Call, const Scalar& start, const Scalar& end, Optional<DType> dtype,
                   Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  return arange(start, end, 1, dtype, layout, device, pin_memory);
}
void ArangeStartOut(Call, const Scalar& start, const Scalar& end, const Scalar& step,
                    const Tensor& out) {
  const Tensor t = arange(start, end, step, out.dtype(), std::nullopt, out.device());
  if (out.numel() != t.numel()) resize_(out, t.sizes());
  copy_(out, view(t, out.sizes()));
}
void ArangeOut(Call call, const Scalar& end, const Tensor& out) {
  ArangeStartOut(call, 0, end, 1, out);
}
const Composite arange_end_body{"arange", Arange};
const Composite arange_start_body{"arange.start", ArangeStart};
const Composite arange_start_out_body{"arange.start_out", ArangeStartOut};
const Composite arange_out_body{"arange.out", ArangeOut};

}  // namespace
}  // namespace sy
