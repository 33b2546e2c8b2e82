// equal and allclose: whether a comparison holds for every element.

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

bool Equal(Call, const Tensor& self, const Tensor& other) {
  return SameSizes(self.sizes(), other.sizes()) && item(all(eq(self, other))).To<bool>();
}
bool Allclose(Call, const Tensor& self, const Tensor& other, double rtol, double atol,
              bool equal_nan) {
  return item(all(isclose(self, other, rtol, atol, equal_nan))).To<bool>();
}
const Composite equal_body{"equal", Equal};
const Composite allclose_body{"allclose", Allclose};

}  // namespace
}  // namespace sy
