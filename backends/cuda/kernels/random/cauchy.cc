#include "backends/cuda/kernels/random/fill.h"

namespace sy::cuda {
namespace {

void Cauchy(Call call, const Tensor& out, const Tensor&, double median, double sigma,
            Generator* generator) {
  RandomArgs args{};
  args.a = median;
  args.b = sigma;
  FillRandom(call, out, generator, {"Cauchy", 2}, args);
}

const Kernel cauchy{"cauchy", "cuda", kFloatingTypes, Cauchy};

}  // namespace
}  // namespace sy::cuda
