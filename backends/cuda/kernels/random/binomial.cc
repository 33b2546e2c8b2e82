#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/random/fill.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Binomial(Call call, const Tensor& out, const Tensor& count, const Tensor& prob,
              Generator* generator) {
  if (out.numel() == 0) return;
  const Tensor trials = Dense(call, Expanded(count, out.sizes()), out.dtype());
  const Tensor p = Dense(call, Expanded(prob, out.sizes()), out.dtype());
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = trials.data();
    args.rank = p.data();
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(args.n) * kCountersEach));
    Launch(call, Specialised("counts", "RandomArgs", "FillBinomial").Element(out.dtype()),
           BlocksFor(args.n), args);
  });
}

const Kernel binomial{"binomial", "cuda", Mask(DType::kFloat32, DType::kFloat64), Binomial};

}  // namespace
}  // namespace sy::cuda
