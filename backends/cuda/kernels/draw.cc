// randperm and multinomial. A permutation is the order of as many random numbers of 64 bits; the
// host's, which swaps one after the other, is another one.

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/kernels/philox.h"
#include "backends/cuda/kernels/random.h"
#include "backends/cuda/kernels/sort.h"
#include "backends/cuda/kernels/specialised.h"
#include "backends/cuda/runtime/op_names.h"

namespace sy::cuda {
namespace {

void Randperm(Call call, const Tensor& out, int64_t n, Generator* generator, Optional<DType>,
              Optional<sy::Layout>, Optional<Device>, Optional<bool>) {
  if (n == 0) return;
  const Tensor bits = Tensor::Empty({n}, DType::kInt64, out.device());
  FillBits(call, bits, generator);
  const Tensor places = out.dtype() == DType::kInt64 && out.is_contiguous()
                            ? out
                            : Tensor::Empty({n}, DType::kInt64, out.device());
  SortRows(call, {bits, 1, n}, false, Tensor(), places);
  if (!places.is_same(out)) CopyElements(call, out, places);
}
const Kernel randperm{"randperm.generator", "cuda", kIntegers | kFloatingTypes, Randperm};

Specialised DrawKernel(const char* function, DType d) {
  return Specialised("draw", "DrawArgs", function).Element(d);
}

// With replacement by search in the cumulated probabilities; else, and for a single sample, the
// positions of the largest p / q, q exponential.
void Multinomial(Call call, const Tensor& out, const Tensor& self, int64_t samples,
                 bool replacement, Generator* generator) {
  if (out.numel() == 0) return;
  const DType d = self.dtype();
  const Tensor p = Dense(call, self, d);
  DrawArgs args{};
  args.n = self.sizes().back();
  args.rows = self.numel() / args.n;
  args.samples = samples;
  args.probabilities = p.data();
  args.report = StreamOf(call.key).report();
  args.op = NumberOfOp(call.op());
  const auto reserve = [&](int64_t pairs) {
    const PhiloxStart start = DrawPhilox(call, generator, static_cast<uint64_t>((pairs + 1) / 2));
    args.seed = start.seed;
    args.offset = start.offset;
    args.state = start.state;
  };
  const Grid block_for_each_row{args.rows, kOrderThreads};
  IntoDense(call, out, DType::kInt64, [&](const Tensor& to) {
    if (replacement && samples != 1) {
      const DType sum = d == DType::kFloat64 ? d : DType::kFloat32;
      const Tensor cumulated = Tensor::Empty(p.sizes(), sum, p.device());
      args.out = cumulated.data();
      Launch(call, DrawKernel("Cumulate", d).Element(sum), block_for_each_row, args);
      reserve(to.numel());
      args.probabilities = cumulated.data();
      args.out = to.data();
      return Launch(call, DrawKernel("DrawByCumulated", sum), BlocksFor(to.numel()), args);
    }
    Launch(call, DrawKernel("CheckRows", d), block_for_each_row, args);
    const Tensor quotients = Tensor::Empty(p.sizes(), d, p.device());
    reserve(p.numel());
    args.out = quotients.data();
    Launch(call, DrawKernel("Race", d), BlocksFor(p.numel()), args);
    TopRows(call, {quotients, args.rows, args.n}, samples, true, Tensor(), to);
  });
}
const Kernel multinomial{"multinomial", "cuda", kFloatingTypes, Multinomial};

}  // namespace
}  // namespace sy::cuda
