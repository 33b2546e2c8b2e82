#include "backends/cuda/kernels/random/fill.h"

namespace sy::cuda {
namespace {

void Exponential(Call call, const Tensor& out, const Tensor&, double lambd, Generator* generator) {
  RandomArgs args{};
  args.a = -1 / lambd;
  FillRandom(call, out, generator, {"Exponential", 2}, args);
}

const Kernel exponential{"exponential", "cuda", kFloatingTypes, Exponential};

}  // namespace
}  // namespace sy::cuda
