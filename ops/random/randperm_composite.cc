// randperm by the default generator, and into tensors that are given.

#include <optional>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Randperm(Call, int64_t n, Optional<DType> dtype, Optional<Layout> layout,
                Optional<Device> device, Optional<bool> pin_memory) {
  return randperm(n, nullptr, dtype, layout, device, pin_memory);
}
void RandpermOut(Call, int64_t n, const Tensor& out) {
  const Tensor t = randperm(n, nullptr, out.dtype(), std::nullopt, out.device());
  copy_(resize_(out, {n}), t);
}
const Composite randperm_body{"randperm", Randperm};
const Composite randperm_out_body{"randperm.out", RandpermOut};

}  // namespace
}  // namespace sy
