// masked_fill: a choice between value and self.
//
// Errors: kInvalidValue when value does not fit self's dtype.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/core/transfer.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet where;
}
namespace {

void MaskedFill(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                const Tensor& value) {
  if (value.dtype() != self.dtype()) {
    const Scalar number = ReadNumber(value);
    if (!number.Fits(self.dtype())) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): value ", number.str(), " does not fit self's ", self.dtype()});
    }
  }
  RunSelect(loops::where, call.dtype(), out, mask, value, self);
}

const Kernel kernel{"masked_fill.Tensor", "cpu", kAnyDType, MaskedFill};

}  // namespace
}  // namespace sy::cpu
