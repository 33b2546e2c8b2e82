// conj: conj_physical of complex numbers, others as they are.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Conj(Call, const Tensor& self) {
  return IsComplex(self.dtype()) ? conj_physical(self) : self;
}
const Composite conj_body{"conj", Conj};

}  // namespace
}  // namespace sy
