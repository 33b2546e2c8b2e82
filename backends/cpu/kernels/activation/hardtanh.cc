// hardtanh and relu6: clamp with numbers.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cpu {
namespace {

void Hardtanh(Call call, const Tensor& out, const Tensor& self, const Scalar& min_val,
              const Scalar& max_val) {
  RunLoops(kLoops<f::Clamp>, call.dtype(), out, self, NumberTensor(min_val), NumberTensor(max_val));
}

void Relu6(Call call, const Tensor& out, const Tensor& self) {
  Hardtanh(call, out, self, Scalar(0), Scalar(6));
}

const Kernel hardtanh{"hardtanh", "cpu", kFormula<f::Clamp>.dtypes(), Hardtanh};
const Kernel relu6{"relu6", "cpu", kFormula<f::Clamp>.dtypes(), Relu6};

}  // namespace
}  // namespace sy::cpu
