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
void RandpermGeneratorOut(Call, int64_t n, Generator* g, const Tensor& out) {
  const Tensor t = randperm(n, g, out.dtype(), std::nullopt, out.device());
  copy_(resize_(out, {n}), t);
}
void RandpermOut(Call call, int64_t n, const Tensor& out) {
  RandpermGeneratorOut(call, n, nullptr, out);
}
const Composite randperm_body{"randperm", Randperm};
const Composite randperm_out_body{"randperm.out", RandpermOut};
const Composite randperm_generator_out_body{"randperm.generator_out", RandpermGeneratorOut};

}  // namespace
}  // namespace sy
