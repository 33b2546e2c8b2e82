// fill: one number everywhere.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Fill(Call, const Tensor& out, const Tensor& /*self*/, const Scalar& value) {
  FillElements(out, value);
}

const Kernel kernel{"fill.Scalar", "cpu", kAnyDType, Fill};

}  // namespace
}  // namespace sy::cpu
