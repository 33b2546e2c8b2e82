// Largest (amax) or smallest (amin) element of self along `dim`, or both (aminmax); NaN wins over
// numbers.
//   self: real; dim: one or several dimensions, none for all (aminmax: at most one)   →   the sizes
//   left (reduced ones stay as 1 with keepdim), dtype of self
// Errors: kInvalidArgument for complex numbers and out= of another dtype, kOutOfRange when there is
// no element or a dimension is out of range.
// Example: sy::amax(x, {0, 1})
// Source: ATen amax, amin, aminmax.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

IntSpan ExtremeSizes(Rule& r, const Meta& self, std::optional<IntSpan> dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  return left.sizes;
}

void AmaxRule(Rule& r, const Meta& self, IntSpan dim, bool keepdim) {
  r.Output(ExtremeSizes(r, self, dim, keepdim), self.dtype());
}

void AminmaxRule(Rule& r, const Meta& self, std::optional<int64_t> dim, bool keepdim) {
  const IntSpan sizes =
      ExtremeSizes(r, self, dim ? std::optional(IntSpan(&*dim, 1)) : std::nullopt, keepdim);
  r.Output(sizes, self.dtype());
  r.Output(sizes, self.dtype());
}

}  // namespace

const Operator amax_op{"amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", AmaxRule,
                       kOut};
const Operator amin_op{"amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", AmaxRule,
                       kOut};
const Operator aminmax_op{
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    Outputs<2>(AminmaxRule),
    Out("aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, Tensor(b!) "
        "max) -> (Tensor(a!) min, Tensor(b!) max)")};

}  // namespace sy
