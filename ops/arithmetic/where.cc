// Takes each element from self where `condition` is true, from `other` elsewhere.
//   condition: bool (or uint8); condition, self, other: sizes that broadcast; self and other
//   promote   →   common sizes and dtype
// Errors: kInvalidArgument when condition is neither bool nor uint8, or sizes do not broadcast.
// Example: sy::where(sy::lt(x, 0), a, b)
// Source: ATen where.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void WhereShape(PointwiseContext& r, const TensorBase& condition, const TensorBase& self,
                const TensorBase& other) {
  if (condition.dtype() != DType::kBool && condition.dtype() != DType::kUInt8) {
    r.Fail({"condition must be bool, got ", condition.dtype()});
  }
  const DType dtype = ResultType(self, other);
  RequireConvertible(r, self, dtype, "self");
  RequireConvertible(r, other, dtype, "other");
  r.PointwiseAs(dtype, {&condition, &self, &other}).cast = CastPolicy::kSame;
}

}  // namespace

const Operator where_op{"where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
                        WhereShape, kOut, kFormula<f::Where>};
const Operator where_scalar_self_op{
    "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
    WithNumber<1>("where.self", WhereShape)};
const Operator where_scalar_other_op{
    "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
    WithNumber<2>("where.self", WhereShape)};
const Operator where_scalar_op{
    "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
    WithNumber<1, 2>("where.self", WhereShape)};

}  // namespace sy
