#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/runtime/op_names.h"

namespace sy::cuda {
namespace {

void Poisson(Call call, const Tensor& out, const Tensor& self, Generator* generator) {
  if (out.numel() == 0) return;
  const Tensor rates = Dense(call, self, self.dtype());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = rates.data();
    args.report = StreamOf(call.key).report();
    args.op = NumberOfOp(call.op());
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(args.n) * kCountersEach));
    Launch(call, Specialised("counts", "RandomArgs", "FillPoisson").Element(out.dtype()),
           BlocksFor(args.n), args);
  });
}

const Kernel poisson{"poisson", "cuda", kFloatingTypes, Poisson};

}  // namespace
}  // namespace sy::cuda
