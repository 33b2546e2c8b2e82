// beta self + alpha mat vec.
//   self: [m], or a size that expands to it; mat: [m, k], vec: [k]; one dtype, not bool   →   [m]
// With beta 0 self is not read: NaN in it does not count. 16-bit floats are rounded once. Integers
// take beta and alpha without their fractions.
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
  RequireSameDType(r, mat, vec, "mat", "vec");
  RequireSameDType(r, self, mat, "self", "mat");
  if (mat.sizes()[1] != vec.sizes()[0]) {
    r.Fail({"inner dimensions differ: mat is ", mat.sizes(), ", vec is ", vec.sizes()});
  }
  OutputSpec& o = r.Output({mat.sizes()[0]}, self.dtype());
  if (!IsExpandable(self.sizes(), o.size_span()))
    r.Fail({"self of sizes ", self.sizes(), " does not expand to ", o.size_span()});
  RequireFits(r, beta, o.dtype, "beta");
  RequireFits(r, alpha, o.dtype, "alpha");
}

}  // namespace

const Operator addmv_op{
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    AddmvShape, kInPlace | kOut};

}  // namespace sy
