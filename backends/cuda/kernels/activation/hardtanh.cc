#include "backends/cuda/engine/clamp.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

void Hardtanh(Call call, const Tensor& out, const Tensor& self, const Scalar& min_val,
              const Scalar& max_val) {
  ClampElements(call, out, self, NumberTensor(min_val), NumberTensor(max_val));
}
void Relu6(Call call, const Tensor& out, const Tensor& self) {
  Hardtanh(call, out, self, Scalar(0), Scalar(6));
}

const Kernel hardtanh{"hardtanh", "cuda", kFormula<f::Clamp>.dtypes(), Hardtanh};
const Kernel relu6{"relu6", "cuda", kFormula<f::Clamp>.dtypes(), Relu6};

}  // namespace
}  // namespace sy::cuda
