// The numbers below which given fractions of the elements lie, of all of self or of each line along
// `dim`; between two elements as `interpolation` says. NaN if there is any; nanquantile passes over
// NaN.
//   self: float32 or float64, not empty; q: a number or [k], dtype of self, each 0 … 1   →   the
//   sizes left (the reduced one stays as 1 with keepdim), behind k where q is 1-d
// interpolation: 'linear', 'lower', 'higher', 'midpoint' or 'nearest'
// Errors: kInvalidArgument when dtypes do not fit, self is empty, or for another interpolation;
// kOutOfRange for dim; kInvalidValue for q outside 0 to 1.
// Example: sy::quantile(x, 0.5)
// Source: ATen quantile, nanquantile.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator quantile_op{
    "quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
    "interpolation=\"linear\") -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator quantile_scalar_op{
    "quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
    "interpolation=\"linear\") -> Tensor",
    KeyRule::kFirst, kOut};
const Operator nanquantile_op{
    "nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
    "interpolation=\"linear\") -> Tensor",
    KeyRule::kFirst, kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator nanquantile_scalar_op{
    "nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
    "interpolation=\"linear\") -> Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
