// argwhere by nonzero.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Argwhere(Call, const Tensor& self) { return nonzero(self); }
const Composite argwhere_body{"argwhere", Argwhere};

}  // namespace
}  // namespace sy
