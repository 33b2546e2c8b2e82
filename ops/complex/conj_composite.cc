// conj, as a view of complex numbers; others as they are.

#include "switchyard/dispatcher/conjugates.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Conj(Call, const Tensor& self) {
  return IsComplex(self.dtype()) ? internal::Followed(ConjView(self), self) : self;
}
Tensor ConjOfComplex(Call call, const Tensor& self) {
  if (!IsComplex(self.dtype()))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be complex, got ", self.dtype()});
  return internal::Followed(ConjView(self), self);
}
const Composite conj_body{"conj", Conj};
const Composite conj_of_complex_body{"_conj", ConjOfComplex};

}  // namespace
}  // namespace sy
