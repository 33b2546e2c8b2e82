#include "backends/cuda/kernels/random/fill.h"

namespace sy::cuda {
namespace {

void LogNormal(Call call, const Tensor& out, const Tensor&, double mean, double std,
               Generator* generator) {
  FillNormals(call, out, mean, std, generator, true);
}

const Kernel log_normal{"log_normal", "cuda", kFloatingTypes, LogNormal};

}  // namespace
}  // namespace sy::cuda
