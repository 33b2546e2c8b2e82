// Largest (amax) or smallest (amin) element of self along `dim`, or both (aminmax); NaN wins over
// numbers.
//   self: real; dim: one or several dimensions, none for all (aminmax: at most one)   →   the sizes
//   left (reduced ones stay as 1 with keepdim), dtype of self
// Errors: kInvalidArgument for complex numbers and out= of another dtype, kOutOfRange when there is
// no element or a dimension is out of range.
// Example: sy::amax(x, {0, 1})
// Source: ATen amax, amin, aminmax.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <class Dim>
IntSpan ExtremeSizes(ShapeContext& r, const TensorBase& self, Dim& dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  return left.sizes;
}

void AmaxShape(ShapeContext& r, const TensorBase& self, IntSpan& dim, bool keepdim) {
  r.Output(ExtremeSizes(r, self, dim, keepdim), self.dtype());
}

void AminmaxShape(ShapeContext& r, const TensorBase& self, std::optional<int64_t>& dim,
                  bool keepdim) {
  const IntSpan sizes = ExtremeSizes(r, self, dim, keepdim);
  r.Output(sizes, self.dtype());
  r.Output(sizes, self.dtype());
}

}  // namespace

const Operator amax_op{"amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", AmaxShape,
                       kOut | Tags(OperatorTag::kReduction)};
const Operator amin_op{"amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", AmaxShape,
                       kOut | Tags(OperatorTag::kReduction)};
const Operator aminmax_op{
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    Outputs<2>(AminmaxShape),
    Out("aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) "
        "max) -> (Tensor(a!) min, Tensor(b!) max)") |
        Tags(OperatorTag::kReduction)};

}  // namespace sy
