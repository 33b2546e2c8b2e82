// conj, as a view of complex numbers; others as they are.

#include "switchyard/dispatcher/conjugates.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Conj(Call, const Tensor& self) { return IsComplex(self.dtype()) ? ConjView(self) : self; }
const Composite conj_body{"conj", Conj};

}  // namespace
}  // namespace sy
