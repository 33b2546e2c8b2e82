// The middle element of self, or of each line along `dim` with a place where it is: the lower one
// where there are two. NaN if there is any; nanmedian passes over NaN.
//   self: real, not bool   →   0-d; with dim, values and int64 indices of the sizes left (the
//   reduced one stays as 1 with keepdim). Of no elements, NaN
// Errors: kOutOfRange for a dimension that is out of range or empty; kNotImplemented for other
// dtypes.
// Example: auto [values, indices] = sy::median(x, 0)
// Source: ATen median, nanmedian.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MedianShape(ShapeContext& r, const TensorBase& self) {
  if (IsComplex(self.dtype()) && self.numel() != 0)
    r.Fail({"complex numbers have no order; got ", self.dtype()});
  if (self.dtype() == DType::kBool && self.numel() != 0)
    r.Fail(ErrorCode::kNotImplemented, {"self must be real and not bool, got bool"});
  r.Output(IntSpan(), self.dtype());
}

void MedianDimShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  RequireDType(r, self, kIntegerTypes | kFloatingTypes);
  MedianShape(r, self);
  r.output(0).sizes = left.sizes.data();
  r.output(0).ndim = static_cast<int32_t>(left.sizes.size());
  r.Output(left.sizes, DType::kInt64);
}

}  // namespace

const Operator median_op{"median(Tensor self) -> Tensor", MedianShape,
                         kOut | Tags(OperatorTag::kOpenTies)};
const Operator median_dim_op{
    "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(MedianDimShape),
    Out("median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
        "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kOpenTies)};
const Operator nanmedian_op{"nanmedian(Tensor self) -> Tensor", MedianShape,
                            kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kOpenTies)};
const Operator nanmedian_dim_op{
    "nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(MedianDimShape),
    Out("nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
        "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kOpenTies)};

}  // namespace sy
