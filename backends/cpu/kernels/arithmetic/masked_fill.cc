// masked_fill: a choice between value and self.
//
// Errors: kInvalidValue when value does not fit self's dtype.
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cpu {
namespace {

void MaskedFill(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                const Tensor& value) {
  RequireFits(call, value, self.dtype());
  RunSelect(kLoops<f::Where>, call.dtype(), out, mask, value, self);
}

const Kernel kernel{"masked_fill.Tensor", "cpu", kAnyDType, MaskedFill};

}  // namespace
}  // namespace sy::cpu
