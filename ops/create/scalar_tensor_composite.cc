// scalar_tensor by full.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor ScalarTensor(Call, const Scalar& s, Optional<DType> dtype, Optional<Layout> layout,
                    Optional<Device> device, Optional<bool> pin_memory) {
  return full({}, s, dtype.value_or(DefaultDType()), layout, device, pin_memory);
}
const Composite scalar_tensor_body{"scalar_tensor", ScalarTensor};

}  // namespace
}  // namespace sy
