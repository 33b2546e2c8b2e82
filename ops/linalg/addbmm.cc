// beta self + alpha times the sum of the batch's matrix products (addbmm), or with each of them by
// itself (baddbmm). baddbmm of 16-bit floats is float32 where out_dtype says so.
//   self: sizes that expand to the result's; batch1: [b, m, k], batch2: [b, k, n]; one dtype, not
//   bool   →   [m, n] (addbmm), [b, m, n] (baddbmm)
// With beta 0 self is not read: NaN in it does not count. addbmm rounds after each product.
// Integers take beta and alpha without their fractions.
// addbmm_ resizes self where it has to expand.
// Errors: kInvalidArgument when batch1 or batch2 is not 3-d, sizes, dtypes or numbers do not
// fit.
// Example: sy::addbmm(x, unsqueeze(a, 0), unsqueeze(b, 0))
// Source: ATen addbmm, baddbmm.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void Check(ShapeContext& r, const TensorBase& batch1, const TensorBase& batch2) {
  if (batch1.dim() != 3) r.Fail({"batch1 must be a 3-d tensor, got sizes ", batch1.sizes()});
  if (batch2.dim() != 3) r.Fail({"batch2 must be a 3-d tensor, got sizes ", batch2.sizes()});
  if (batch1.sizes()[0] != batch2.sizes()[0] || batch1.sizes()[2] != batch2.sizes()[1]) {
    r.Fail({"batches or inner dimensions differ: batch1 is ", batch1.sizes(), ", batch2 is ",
            batch2.sizes()});
  }
}
void RequireExpandable(ShapeContext& r, const TensorBase& self, const OutputSpec& o) {
  if (!IsExpandable(self.sizes(), o.size_span()))
    r.Fail({"self of sizes ", self.sizes(), " does not expand to ", o.size_span()});
}

// Without products, beta alone multiplies self; without elements no number counts.
void RequireNumbers(ShapeContext& r, const OutputSpec& o, const TensorBase& batch1,
                    const Scalar& beta, const Scalar& alpha) {
  if (NumElements(o.size_span()) == 0) return;
  if (batch1.numel() == 0) return RequireFactor(r, beta, o.dtype, "beta");
  RequireFits(r, beta, o.dtype, "beta");
  RequireFits(r, alpha, o.dtype, "alpha");
}

void AddbmmShape(ShapeContext& r, const TensorBase& self, const TensorBase& batch1,
                 const TensorBase& batch2, const Scalar& beta, const Scalar& alpha) {
  Check(r, batch1, batch2);
  if (batch1.sizes()[0] != 0) {  // else ATen does not look at dtypes
    RequireSameDType(r, batch1, batch2, "batch1", "batch2");
    RequireSameDType(r, self, batch1, "self", "batch1");
  }
  const OutputSpec& o = r.Output({batch1.sizes()[1], batch2.sizes()[2]}, self.dtype());
  RequireExpandable(r, self, o);
  if (batch1.sizes()[0] == 0) return RequireFactor(r, beta, o.dtype, "beta");
  RequireNumbers(r, o, batch1, beta, alpha);
}

void BaddbmmShape(ShapeContext& r, const TensorBase& self, const TensorBase& batch1,
                  const TensorBase& batch2, const Scalar& beta, const Scalar& alpha) {
  Check(r, batch1, batch2);
  RequireSameDType(r, self, batch1, "self", "batch1");
  if (batch1.numel() != 0 && batch2.numel() != 0)  // else ATen does not look at it
    RequireSameDType(r, batch1, batch2, "batch1", "batch2");
  const OutputSpec& o =
      r.Output({batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2]}, batch2.dtype());
  RequireExpandable(r, self, o);
  RequireNumbers(r, o, batch1, beta, alpha);
}

}  // namespace

const Operator addbmm_op{
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    AddbmmShape, kOut};
// self takes the result's sizes, as ATen's does.
const Operator addbmm_in_place_op{
    "addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor(a!)"};
const Operator baddbmm_op{
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
    "Tensor",
    BaddbmmShape, kInPlace | kOut};
const Operator baddbmm_dtype_op{
    "baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar "
    "beta=1, "
    "Scalar alpha=1) -> Tensor",
    KeyRule::kPromote, kOut};

}  // namespace sy
