// Copies of views that have no shape function.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor RowMajor(const Tensor& t) { return clone(t, MemoryFormat::kContiguous); }

Tensor ConjCopy(Call, const Tensor& self) { return RowMajor(_conj(self)); }
Tensor NegViewCopy(Call, const Tensor& self) { return contiguous(neg(self)); }
Tensor ViewAsRealCopy(Call, const Tensor& self) { return RowMajor(view_as_real(self)); }
Tensor ViewAsComplexCopy(Call, const Tensor& self) { return RowMajor(view_as_complex(self)); }
Tensor LiftFreshCopy(Call, const Tensor& self) { return RowMajor(self); }
Tensor ReshapeCopy(Call, const Tensor& self, IntSpan size) { return view(RowMajor(self), size); }

const Composite conj_copy_body{"_conj_copy", ConjCopy};
const Composite neg_view_copy_body{"_neg_view_copy", NegViewCopy};
const Composite view_as_real_copy_body{"view_as_real_copy", ViewAsRealCopy};
const Composite view_as_complex_copy_body{"view_as_complex_copy", ViewAsComplexCopy};
const Composite lift_fresh_copy_body{"lift_fresh_copy", LiftFreshCopy};
const Composite reshape_copy_body{"_reshape_copy", ReshapeCopy};

}  // namespace
}  // namespace sy
