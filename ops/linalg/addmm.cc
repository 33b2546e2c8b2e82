// beta self + alpha mat1 mat2. Of 16-bit floats it is float32 where out_dtype says so.
// _addmm_activation: then relu, or gelu where use_gelu says so, of floating tensors; relu of
// integers too. gelu is exact on every device; ATen's is on cpu, while its cuda takes the formula
// with tanh.
//   self: sizes that expand to [m, n]; mat1: [m, k], mat2: [k, n]; one dtype, not bool   →   [m, n]
// With beta 0 self is not read: NaN in it does not count. 16-bit floats are rounded once. Integers
// take beta and alpha without their fractions.
// Errors: kInvalidArgument when mat1 or mat2 is no matrix, sizes, dtypes or numbers do not
// fit; without products, when beta is of a higher category than self.
// Example: sy::addmm(x, a, b)
// Source: ATen addmm, _addmm_activation.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddmmShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat1,
                const TensorBase& mat2, const Scalar& beta, const Scalar& alpha) {
  if (mat1.dim() != 2) r.Fail({"mat1 must be a matrix, got sizes ", mat1.sizes()});
  if (mat2.dim() != 2) r.Fail({"mat2 must be a matrix, got sizes ", mat2.sizes()});
  RequireSameDType(r, mat1, mat2, "mat1", "mat2");
  RequireSameDType(r, self, mat1, "self", "mat1");
  if (mat1.sizes()[1] != mat2.sizes()[0]) {
    r.Fail({"inner dimensions differ: mat1 is ", mat1.sizes(), ", mat2 is ", mat2.sizes()});
  }
  OutputSpec& o = r.Output({mat1.sizes()[0], mat2.sizes()[1]}, self.dtype());
  if (!IsExpandable(self.sizes(), o.size_span()))
    r.Fail({"self of sizes ", self.sizes(), " does not expand to ", o.size_span()});
  if (o.sizes[0] == 0 || o.sizes[1] == 0) return;  // numbers do not count
  if (mat1.sizes()[1] == 0) {
    RequireFactor(r, beta, o.dtype, "beta");
    return;
  }
  RequireFits(r, beta, o.dtype, "beta");
  RequireFits(r, alpha, o.dtype, "alpha");
}

void AddmmActivationShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat1,
                          const TensorBase& mat2, const Scalar& beta, const Scalar& alpha,
                          bool use_gelu) {
  AddmmShape(r, self, mat1, mat2, beta, alpha);
  RequireDType(r, self, use_gelu ? kFloatingTypes : kIntegerTypes | kFloatingTypes);
}

}  // namespace

const Operator addmm_op{
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    AddmmShape, kInPlace | kOut};
const Operator addmm_dtype_op{
    "addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, "
    "Scalar alpha=1) -> Tensor",
    KeyRule::kPromote, kOut};
const Operator addmm_activation_op{
    "_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
    "bool use_gelu=False) -> Tensor",
    AddmmActivationShape, kOut};

}  // namespace sy
