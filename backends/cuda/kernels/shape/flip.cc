#include <vector>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/packs.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void Flip(Call call, const Tensor& out, const Tensor& self, IntSpan dims) {
  if (out.numel() == 0) return;
  uint64_t reversed = 0;
  for (int64_t d : dims) reversed |= uint64_t{1} << d;
  const auto item = static_cast<int64_t>(self.itemsize());
  std::vector<int64_t> strides;
  int64_t first = 0;  // of self's elements
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    const bool backwards = (reversed >> d & 1) != 0;
    if (backwards) first += (self.sizes()[d] - 1) * self.strides()[d];
    strides.push_back((backwards ? -self.strides()[d] : self.strides()[d]) * item);
  }
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(static_cast<char*>(self.data()) + first * item, item, strides);
  w.Coalesce();
  RequireFewDims(call.op(), w);
  const bool wide = !w.is_narrow() || SpannedBytes(self) > INT32_MAX;
  const int each = PackOf(w, {0, 1});
  ArrangeArgs args{};
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .stride_kinds = {}}, args.space);
  args.to = w.operands[0].data;
  args.from = w.operands[1].data;
  Launch(call,
         Specialised("arrange", "ArrangeArgs", "Flip")
             .Bits(out.itemsize() * static_cast<size_t>(each))
             .Index(wide),
         BlocksFor(args.space.n), args);
}
const Kernel flip{"flip", "cuda", kAnyDType, Flip};

}  // namespace
}  // namespace sy::cuda
