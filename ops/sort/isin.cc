// Whether each element is among those of test_elements. NaN is not.
//   elements, test_elements: real, not bool, any sizes, or one of them a number; dtypes that
//   promote   →   bool, sizes of elements
// invert: whether it is not. assume_unique: neither has an element twice; changes nothing.
// Errors: kNotImplemented for other dtypes.
// Example: sy::isin(x, y)
// Source: ATen isin.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void IsinShape(ShapeContext& r, const TensorBase& elements, const TensorBase& test_elements,
               bool /*assume_unique*/, bool /*invert*/) {
  TypePromotion types;
  types.Add(elements);
  types.Add(test_elements);
  r.Output(elements.sizes(), DType::kBool);
  r.SetComputeDType(types.Result());
  RequireComputeDType(r, kIntegerTypes | kWideUnsignedTypes | kFloatingTypes);
  r.SetPlaceOf(elements.is_wrapped_number() ? test_elements : elements);
}

}  // namespace

const Operator isin_op{
    "isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool "
    "invert=False) -> Tensor",
    IsinShape, kOut};
const Operator isin_tensor_scalar_op{
    "isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool "
    "invert=False) -> Tensor",
    WithNumber<1>("isin.Tensor_Tensor", IsinShape), kOut};
const Operator isin_scalar_tensor_op{
    "isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool "
    "invert=False) -> Tensor",
    WithNumber<0>("isin.Tensor_Tensor", IsinShape), kOut};

}  // namespace sy
