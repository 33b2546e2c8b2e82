// Whether |self - other| <= atol + rtol |other|; equal infinities are close, NaN to NaN with
// equal_nan.
//   self, other: of one dtype, sizes that broadcast; rtol, atol: not negative   →   bool, common
//   sizes
// Errors: kInvalidArgument when dtypes differ, for negative tolerances, or when sizes do not
// broadcast.
// Example: sy::isclose(a, b, 1e-5, 1e-8, /*equal_nan=*/true)
// Source: ATen isclose.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator isclose_op{
    "isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
    "equal_nan=False) -> Tensor",
    KeyRule::kFirst};

}  // namespace sy
