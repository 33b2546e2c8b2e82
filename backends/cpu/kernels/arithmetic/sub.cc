// sub: self - alpha * other.
#include "backends/cpu/kernels/arithmetic/add_scaled.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

const Kernel kernel{"sub.Tensor", "cpu", kFormula<f::Sub>.dtypes(), SubScaled};

}  // namespace
}  // namespace sy::cpu
