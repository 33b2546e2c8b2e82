// beta self + alpha mat vec.
//   self: [m], or a size that expands to it; mat: [m, k], vec: [k]; one dtype, not bool   →   [m];
//   of a mat without elements beta self, of self's sizes, as ATen's
// With beta 0 self is not read: NaN in it does not count, nor its dtype. 16-bit floats are rounded
// once. Integers take beta and alpha without their fractions.
// Errors: kInvalidArgument when they are no matrix and vectors, sizes, dtypes or numbers do not
// fit.
// Example: sy::addmv(x, a, y)
// Source: ATen addmv.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddmvShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat,
                const TensorBase& vec, const Scalar& beta, const Scalar& alpha) {
  if (mat.dim() != 2) r.Fail({"mat must be a matrix, got sizes ", mat.sizes()});
  if (vec.dim() != 1) r.Fail({"vec must be a vector, got sizes ", vec.sizes()});
  if (self.dim() > 1) r.Fail({"self must be a vector, got sizes ", self.sizes()});
  const bool empty = mat.numel() == 0;  // then neither its dtype nor alpha counts
  if (!empty) RequireSameDType(r, mat, vec, "mat", "vec");
  if (!beta.is_zero()) RequireSameDType(r, self, vec, "self", "vec");
  if (mat.sizes()[1] != vec.sizes()[0]) {
    r.Fail({"inner dimensions differ: mat is ", mat.sizes(), ", vec is ", vec.sizes()});
  }
  OutputSpec& o = r.Output({mat.sizes()[0]}, vec.dtype());
  if (!IsExpandable(self.sizes(), o.size_span()))
    r.Fail({"self of sizes ", self.sizes(), " does not expand to ", o.size_span()});
  RequireStorable(r, beta, o.dtype, "beta");
  if (!empty) return RequireStorable(r, alpha, o.dtype, "alpha");
  if (beta.is_zero() || r.variant() == Variant::kInPlace) return;
  o.sizes = self.sizes().data();
  o.ndim = static_cast<int32_t>(self.dim());
}

}  // namespace

const Operator addmv_op{
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    AddmvShape, kInPlace | kOut};

}  // namespace sy
