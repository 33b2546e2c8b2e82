// Standard deviation (std) or variance (var) of the elements of self along `dim`, or of all of
// them; std_mean and var_mean: with their mean.
//   self: floating or complex; dim: none, one or several dimensions (none: all)   →   the sizes
//   left (reduced ones stay as 1 with keepdim), real dtype of self; the mean: dtype of self
//   correction: subtracted from the number of elements in the divisor; 1 unless given
//   unbiased: correction 1, else 0
// NaN where there are not more elements than the correction.
// Errors: kInvalidArgument for integers and bool, kOutOfRange for a dimension out of range.
// Example: sy::std(x, {0}, /*unbiased=*/true)
// Source: ATen std, var, std_mean, var_mean.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void DeviationShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim,
                    const std::optional<Scalar>&, bool keepdim) {
  if (!IsFloating(self.dtype()) && !IsComplex(self.dtype())) {
    r.Fail({"self must be floating or complex, got ", self.dtype()});
  }
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, RealType(self.dtype())).cast =
      CastPolicy::kCan;
  r.SetComputeDType(self.dtype());
}

void DeviationAndMeanShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim,
                           const std::optional<Scalar>& correction, bool keepdim) {
  DeviationShape(r, self, dim, correction, keepdim);
  r.Output(r.output(0).size_span(), self.dtype());
}

}  // namespace

const Operator std_op{"std(Tensor self, bool unbiased=True) -> Tensor", KeyRule::kFirst,
                      Tags(OperatorTag::kReduction)};
const Operator std_dim_op{
    "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
    KeyRule::kFirst, Out("out") | Tags(OperatorTag::kReduction)};
const Operator std_correction_op{
    "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
    "-> Tensor",
    DeviationShape, kOut | Tags(OperatorTag::kReduction)};

const Operator var_op{"var(Tensor self, bool unbiased=True) -> Tensor", KeyRule::kFirst,
                      Tags(OperatorTag::kReduction)};
const Operator var_dim_op{
    "var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
    KeyRule::kFirst, Out("out") | Tags(OperatorTag::kReduction)};
const Operator var_correction_op{
    "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
    "-> Tensor",
    DeviationShape, kOut | Tags(OperatorTag::kReduction)};

const Operator std_mean_op{"std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                           KeyRule::kFirst, Tags(OperatorTag::kReduction)};
const Operator std_mean_dim_op{
    "std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, "
    "Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kReduction)};
const Operator std_mean_correction_op{
    "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
    "keepdim=False) -> (Tensor, Tensor)",
    Outputs<2>(DeviationAndMeanShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kReduction)};

const Operator var_mean_op{"var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
                           KeyRule::kFirst, Tags(OperatorTag::kReduction)};
const Operator var_mean_dim_op{
    "var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, "
    "Tensor)",
    KeyRule::kFirst, Tags(OperatorTag::kReduction)};
const Operator var_mean_correction_op{
    "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
    "keepdim=False) -> (Tensor, Tensor)",
    Outputs<2>(DeviationAndMeanShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kReduction)};

}  // namespace sy
