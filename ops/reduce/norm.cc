// The ord-norm (p-norm) of self's elements along `dim`: the ord-th root of the sum of the ord-th
// powers of their magnitudes; the largest magnitude for inf, the smallest for -inf, the number of
// elements that are not zero for 0. dist: of self - other. norm_except_dim: along all dimensions
// but one, which stay as 1, or, for dim -1, of everything.
//   self: floating or complex, unless `dtype` is; dim: none, one or several dimensions (none: all)
//   →   the sizes left (reduced ones stay as 1 with keepdim); the real dtype of `dtype` if given,
//   else of self
// Errors: kInvalidArgument for integers and bool, kOutOfRange for a dimension out of range and for
// an infinite or negative norm of no elements.
// Example: sy::linalg_vector_norm(x, 2, {0})
// Source: ATen linalg_vector_norm, norm, dist, norm_except_dim.
#include <limits>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NormShape(ShapeContext& r, const TensorBase& self, const Scalar& ord,
               std::optional<IntSpan>& dim, bool keepdim, Optional<DType> dtype) {
  const DType in = dtype.value_or(self.dtype());
  if (IsIntegral(self.dtype(), true) || IsIntegral(in, true))
    r.Fail({"self must be floating or complex, got ", IsIntegral(in, true) ? in : self.dtype()});
  if (IsComplex(self.dtype()) != IsComplex(in))
    r.Fail({"dtype must be complex where self is, and real where it is, got ", in, " for ",
            self.dtype()});
  if (ord.is_complex()) r.Fail({"ord must be real, got ", ord.str()});
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  const double p = ord.To<double>();
  if (p < 0 || p > std::numeric_limits<double>::max()) RequireNonEmptyReduction(r, self, left.mask);
  r.Output(left.sizes, RealType(in));
  r.SetComputeDType(in);
}

}  // namespace

const Operator vector_norm_op{
    "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
    "ScalarType? dtype=None) -> Tensor",
    NormShape, kOut | Tags(OperatorTag::kReduction)};
const Operator norm_all_op{"norm.Scalar(Tensor self, Scalar p=2) -> Tensor", KeyRule::kFirst,
                           kOut | Tags(OperatorTag::kReduction)};
const Operator norm_dim_op{
    "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
    KeyRule::kFirst, Out("out") | Tags(OperatorTag::kReduction)};
const Operator norm_dtype_op{
    "norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", KeyRule::kFirst,
    kOut | Tags(OperatorTag::kReduction)};
const Operator norm_dim_dtype_op{
    "norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType "
    "dtype) -> Tensor",
    KeyRule::kFirst, Out("dtype_out") | Tags(OperatorTag::kReduction)};
const Operator dist_op{"dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", KeyRule::kFirst,
                       kOut | Tags(OperatorTag::kSameDTypeOut)};
const Operator norm_except_dim_op{"norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor",
                                  KeyRule::kFirst};

}  // namespace sy
