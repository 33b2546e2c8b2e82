#include "backends/cuda/engine/lines.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/plan/types.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Lines that follow memory round what 16-bit floats are normalised by, others do not: as on the
// host, after ATen's vec_log_softmax_lastdim_kernel.
template <bool kLog>
void RunSoftmax(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  static constexpr char kKind = 0;
  int64_t beside = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) beside *= self.size(d);
  const bool steps = kLog && beside == 1 && Contains(kHalves, out.dtype());
  if (out.numel() == 0) return;
  Lines lines = LinesOf(call, dim, self, out, nullptr);
  LineArgs& args = lines.args;
  const bool one = args.n <= kShortLine || lines.beside;
  const int each = one ? 1 : lines.each;
  const Held held = one ? Held{1, 0} : HeldLines(args.n, each);
  const auto text = [&] {
    return KernelSource("lines", "LineArgs",
                        fmt::format("Softmax<{}, {}, {}, {}, {}, {}>(args)",
                                    ElementName(out.dtype()), ElementName(self.dtype()),
                                    !kLog   ? "kPlain"
                                    : steps ? "kLogInSteps"
                                            : "kLog",
                                    held.lanes, each, held.packs),
                        BoundsOf(held, each));
  };
  Launch(call,
         {&kKind,
          {PairWord(out.dtype(), self.dtype()), uint64_t{kLog} + steps,
           VariantWord(held.lanes, each, held.packs)}},
         text, GridOf(args.space.n, held.lanes), args);
}
template <bool kLog>
void SoftmaxInt(Call call, const Tensor& out, const Tensor& self, int64_t dim, Optional<DType>) {
  RunSoftmax<kLog>(call, out, self, dim);
}
template <bool kLog>
void Softmax(Call call, const Tensor& out, const Tensor& self, int64_t dim, bool) {
  RunSoftmax<kLog>(call, out, self, dim);
}

const Kernel softmax{"softmax.int", "cuda", kFloatingTypes, SoftmaxInt<false>};
const Kernel log_softmax{"log_softmax.int", "cuda", kFloatingTypes, SoftmaxInt<true>};
const Kernel plain_softmax{"_softmax", "cuda", kFloatingTypes, Softmax<false>};
const Kernel plain_log_softmax{"_log_softmax", "cuda", kFloatingTypes, Softmax<true>};

}  // namespace
}  // namespace sy::cuda
