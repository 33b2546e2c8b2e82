#include "backends/cuda/engine/triangle.h"

#include <algorithm>
#include <vector>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/packs.h"

namespace sy::cuda {

void CopyTriangle(Call call, const Tensor& out, const Tensor& self, bool upper, int64_t diagonal) {
  if (out.numel() == 0) return;
  const size_t rank = self.sizes().size();
  const int64_t rows = self.sizes()[rank - 2], columns = self.sizes()[rank - 1];
  std::vector<int64_t> difference(rank, 0);
  difference[rank - 2] = -1;
  difference[rank - 1] = 1;
  IndexSpace w(out.sizes());
  w.Add(out);
  w.Add(self);
  w.Add(nullptr, 1, difference);
  w.Coalesce();
  RequireFewDims(call.op(), w);
  const bool wide = !w.is_narrow() || rows > INT32_MAX;
  // Packs lie along columns.
  const int each = w.operands[2].strides[0] == 1 ? PackOf(w, {0, 1}) : 1;
  ArrangeArgs args{};
  FillSpace(w, {.flat = false, .wide = wide, .each = each, .stride_kinds = {}}, args.space);
  args.to = out.data();
  args.from = self.data();
  args.diagonal = std::clamp(diagonal, -rows - 1, columns + 1);
  Launch(call,
         Specialised("arrange", "ArrangeArgs", "Triangle")
             .Bits(out.itemsize())
             .Flag(upper)
             .Number(each)
             .Index(wide),
         BlocksFor(args.space.n), args);
}

}  // namespace sy::cuda
