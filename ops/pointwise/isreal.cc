// Whether each element is real: a complex one, whether its imaginary part is 0.
//   self: any sizes   →   bool, sizes of self
// Example: sy::isreal(x)
// Source: ATen isreal.
#include "switchyard/ops/rules.h"

namespace sy {

const Operator isreal_op{"isreal(Tensor self) -> Tensor", TestSameRule};

}  // namespace sy
