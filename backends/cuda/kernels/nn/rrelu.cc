#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/philox.h"
#include "backends/cuda/engine/scan_lines.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

// How many elements draw a number decides where the stream goes on: that is waited for.
// noise: dense, or undefined.
void Run(Call call, const Tensor& out, const Tensor& self, const Tensor& noise, const Scalar& lower,
         const Scalar& upper, bool training, Generator* generator) {
  const Tensor in = Dense(call, self, self.dtype());
  IntoDense(call, out, self.dtype(), [&](const Tensor& to) {
    RandomArgs args{};
    args.out = to.data();
    args.n = to.numel();
    args.in = in.data();
    args.noise = noise.defined() ? noise.data() : nullptr;
    args.a = lower.To<double>();
    args.b = upper.To<double>();
    Tensor draws, rank;
    if (training) {
      draws = Tensor::Empty({args.n}, DType::kBool, in.device());
      rank = Tensor::Empty({args.n}, DType::kInt64, in.device());
      const Tensor zero = NumberTensor(Scalar(0)),
                   flat = in.AsStrided(draws.sizes(), draws.strides(), in.storage_offset());
      RunFormula(call, kFormula<f::Le>, draws, {&flat, &zero});
      CountTrue(call, draws, rank);
      const int64_t count = ReadNumber(rank.AsStrided({}, {}, args.n - 1)).To<int64_t>();
      SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>(count)));
      args.rank = rank.data();
    }
    Launch(call, Specialised("random", "RandomArgs", "Rrelu").Element(self.dtype()),
           BlocksFor(args.n), args);
  });
}

void Rrelu(Call call, const Tensor& out, const Tensor& self, const Scalar& lower,
           const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  Run(call, out, self, Tensor(), lower, upper, training, generator);
}
void RreluWithNoise(Call call, const Tensor& out, const Tensor& self, const Tensor& noise,
                    const Scalar& lower, const Scalar& upper, bool training, Generator* generator) {
  if (out.numel() == 0) return;
  if (!training) return Run(call, out, self, Tensor(), lower, upper, training, generator);
  IntoDense(call, noise, self.dtype(), [&](const Tensor& factors) {
    Run(call, out, self, factors, lower, upper, training, generator);
  });
}

const Kernel rrelu{"rrelu", "cuda", kFloatingTypes, Rrelu};
const Kernel rrelu_with_noise{"rrelu_with_noise", "cuda", kFloatingTypes, RreluWithNoise};

}  // namespace
}  // namespace sy::cuda
