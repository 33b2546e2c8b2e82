#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Normal(Call call, const Tensor& out, const Tensor&, double mean, double std,
            Generator* generator) {
  FillNormals(call, out, mean, std, generator, false);
}

const Kernel normal{"normal_", "cuda", kInexactTypes, Normal};

}  // namespace
}  // namespace sy::cuda
