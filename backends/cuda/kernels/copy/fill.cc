#include "backends/cuda/engine/pointwise.h"

namespace sy::cuda {
namespace {

void Fill(Call call, const Tensor& out, const Tensor&, const Scalar& value) {
  FillElements(call, out, value);
}
const Kernel fill{"fill.Scalar", "cuda", kAnyDType, Fill};

}  // namespace
}  // namespace sy::cuda
