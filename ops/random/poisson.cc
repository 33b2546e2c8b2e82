// Numbers from Poisson's distribution, of as many events as each element of self is the expected
// number of.
//   self: floating, >= 0   →   like self, row-major
// Errors: kNotImplemented for a dtype that is not floating; kInvalidValue for an element that is
// negative or NaN.
// Example: sy::poisson(x)
// Source: ATen poisson; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PoissonShape(ShapeContext& r, const TensorBase& self, Generator*) {
  RequireDType(r, self, kFloatingTypes);
  r.Output(self.sizes(), self.dtype());
}

}  // namespace

const Operator poisson_op{"poisson(Tensor self, Generator? generator=None) -> Tensor", PoissonShape,
                          kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
