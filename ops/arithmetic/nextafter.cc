// The number after each element of self, in its dtype, on the way to `other`.
//   self, other: floating, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::nextafter(a, b)
// Source: ATen nextafter.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator nextafter_op{"nextafter(Tensor self, Tensor other) -> Tensor",
                            BinaryOf<kFloatingTypes>, kInPlace | kOut, kFormula<f::NextAfter>};

}  // namespace sy
