#include <cmath>

#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Geometric(Call call, const Tensor& out, const Tensor&, double p, Generator* generator) {
  RandomArgs args{};
  args.a = std::log(1 - p);
  FillRandom(call, out, generator, {"Geometric", 2}, args);
}

const Kernel geometric{"geometric", "cuda", kRealTypes, Geometric};

}  // namespace
}  // namespace sy::cuda
