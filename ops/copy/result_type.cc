// What dtypes meet in: result_type says in which dtype two operands are computed together, of which
// 0-dim tensors and numbers are the weaker ones; promote_types the same of dtypes alone; can_cast
// whether a result of one may be stored as the other, which must not lower its category.
//   tensors, numbers or dtypes   →   a dtype; can_cast: a bool
// Errors: kInvalidArgument for dtypes that have no common one.
// Example: sy::result_type(x, 1.5)
// Source: ATen result_type, promote_types, can_cast.
#include "switchyard/core/promotion.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <class A, class B>
DType TypeOfBoth(Call, const A& a, const B& b) {
  TypePromotion types;
  types.Add(a);
  types.Add(b);
  return types.Result();
}
DType Meet(Call, DType a, DType b) { return PromoteTypes(a, b); }
bool MayStore(Call, DType from, DType to) { return CanCast(from, to); }

}  // namespace

const Operator result_type_op{"result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType"};
const Composite result_type_body{"result_type.Tensor", TypeOfBoth<Tensor, Tensor>};
const Operator result_type_number_op{
    "result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType"};
const Composite result_type_number_body{"result_type.Scalar", TypeOfBoth<Tensor, Scalar>};
const Operator result_type_of_number_op{
    "result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType"};
const Composite result_type_of_number_body{"result_type.Scalar_Tensor", TypeOfBoth<Scalar, Tensor>};
const Operator result_type_of_numbers_op{
    "result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType"};
const Composite result_type_of_numbers_body{"result_type.Scalar_Scalar",
                                            TypeOfBoth<Scalar, Scalar>};
const Operator promote_types_op{"promote_types(ScalarType type1, ScalarType type2) -> ScalarType"};
const Composite promote_types_body{"promote_types", Meet};
const Operator can_cast_op{"can_cast(ScalarType from_, ScalarType to) -> bool"};
const Composite can_cast_body{"can_cast", MayStore};

}  // namespace sy
