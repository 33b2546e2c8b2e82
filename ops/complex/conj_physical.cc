// Complex conjugate of each element, computed; of real tensors a copy that lies as they do.
//   self: any sizes   →   like self
// Example: sy::conj_physical(x)
// Source: ATen conj_physical, _conj_physical.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// ATen returns a real tensor itself, gaps and all.
void ConjShape(PointwiseContext& r, const TensorBase& self) {
  UnaryShape(r, self);
  // In place, a real tensor stays as it is, also one whose elements share memory.
  if (r.variant() == Variant::kInPlace && !IsComplex(self.dtype())) r.AllowSelfOverlap();
  if (r.variant() == Variant::kFunctional && !IsComplex(self.dtype()))
    r.output(0).strides = self.strides().data();
}

}  // namespace

const Operator conj_physical_op{"conj_physical(Tensor self) -> Tensor", ConjShape, kInPlace | kOut,
                                kFormula<f::Conj>};
const Operator conj_physical_of_any_op{
    "_conj_physical(Tensor self) -> Tensor", SameKernels("conj_physical", ConjShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
