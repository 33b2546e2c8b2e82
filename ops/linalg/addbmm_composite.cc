// addbmm_ by addbmm into self.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void AddbmmInPlace(Call, const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                   const Scalar& beta, const Scalar& alpha) {
  addbmm_out(self, self, batch1, batch2, beta, alpha);
}
const Composite addbmm_in_place_body{"addbmm_", AddbmmInPlace};

}  // namespace
}  // namespace sy
