#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"

namespace sy::cuda {
namespace {

void Normal(Call call, const Tensor& out, const Tensor&, double mean, double std,
            Generator* generator) {
  FillNormals(call, out, mean, std, generator, false);
}

constexpr DTypeMask kFilled = kFloatingTypes | kComplexTypes | kComplex32;
const Kernel normal{"normal_", "cuda", kFilled, Normal};

}  // namespace
}  // namespace sy::cuda
