#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/philox.h"
#include "backends/cuda/engine/select.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/runtime/op_names.h"

namespace sy::cuda {
namespace {

Specialised MultinomialKernel(const char* function, DType d) {
  return Specialised("multinomial", "MultinomialArgs", function).Element(d);
}

// With replacement by search in the cumulated probabilities; else, and for a single sample, the
// positions of the largest p / q, q exponential.
void Multinomial(Call call, const Tensor& out, const Tensor& self, int64_t samples,
                 bool replacement, Generator* generator) {
  if (out.numel() == 0) return;
  const DType d = self.dtype();
  const Tensor p = Dense(call, self, d);
  MultinomialArgs args{};
  args.n = self.sizes().back();
  args.rows = self.numel() / args.n;
  args.samples = samples;
  args.probabilities = p.data();
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  const auto reserve = [&](int64_t pairs) {
    SetStart(args, DrawPhilox(call, generator, static_cast<uint64_t>((pairs + 1) / 2)));
  };
  const Grid block_for_each_row{args.rows, kOrderThreads};
  IntoDense(call, out, DType::kInt64, [&](const Tensor& to) {
    if (replacement && samples != 1) {
      const DType sum = d == DType::kFloat64 ? d : DType::kFloat32;
      const Tensor cumulated = Tensor::Empty(p.sizes(), sum, p.device());
      args.out = cumulated.data();
      Launch(call, MultinomialKernel("Cumulate", d).Element(sum), block_for_each_row, args);
      reserve(to.numel());
      args.probabilities = cumulated.data();
      args.out = to.data();
      return Launch(call, MultinomialKernel("DrawByCumulated", sum), BlocksFor(to.numel()), args);
    }
    Launch(call, MultinomialKernel("CheckRows", d), block_for_each_row, args);
    const Tensor quotients = Tensor::Empty(p.sizes(), d, p.device());
    reserve(p.numel());
    args.out = quotients.data();
    Launch(call, MultinomialKernel("Race", d), BlocksFor(p.numel()), args);
    TopRows(call, {quotients, args.rows, args.n}, samples, true, Tensor(), to);
  });
}
const Kernel multinomial{"multinomial", "cuda", kFloatingTypes, Multinomial};

}  // namespace
}  // namespace sy::cuda
