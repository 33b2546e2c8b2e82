// argwhere, nonzero_numpy and where of a condition by nonzero.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Argwhere(Call, const Tensor& self) { return nonzero(self); }
const Composite argwhere_body{"argwhere", Argwhere};
std::vector<Tensor> NonzeroNumpy(Call, const Tensor& self) {
  return unbind(nonzero(self.dim() == 0 ? unsqueeze(self, 0) : self), 1);
}
const Composite nonzero_numpy_body{"nonzero_numpy", NonzeroNumpy};
const Composite where_condition_body{"where", NonzeroNumpy};

}  // namespace
}  // namespace sy
