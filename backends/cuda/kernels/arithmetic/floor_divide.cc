#include "backends/cuda/kernels/arithmetic/division.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

void FloorDivide(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(kFormula<f::DivFloor>, call, out, self, other);
}
const Kernel floor_divide{"floor_divide", "cuda", kFormula<f::DivFloor>.dtypes(), FloorDivide};

}  // namespace
}  // namespace sy::cuda
