#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

// As device/distance.h's.
int KindOf(double p) { return p == 0 ? 0 : p == 1 ? 1 : p == 2 ? 2 : std::isinf(p) ? 3 : 4; }
void RunDistances(Call call, const Tensor& out, bool pairs, DistanceArgs args) {
  constexpr int64_t kSide = 16, kMostBatches = 65535;
  const int64_t tiles = ((args.m + kSide - 1) / kSide) * ((args.n + kSide - 1) / kSide);
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    Launch(call,
           Specialised("distance", "DistanceArgs", "Distances")
               .Element(out.dtype())
               .Number(KindOf(args.p))
               .Number(pairs),
           {tiles, 256, std::min(int64_t{args.batch}, kMostBatches)}, args);
  });
}

void Cdist(Call call, const Tensor& out, const Tensor& x1, const Tensor& x2, double p,
           Optional<int64_t>) {
  if (out.numel() == 0) return;
  const int64_t m = x1.size(-2), n = x2.size(-2), d = x1.size(-1);
  const auto rows = [&](const Tensor& t, int64_t count) {
    std::vector<int64_t> sizes(out.sizes().begin(), out.sizes().end());
    sizes[sizes.size() - 2] = count;
    sizes.back() = d;
    return Dense(call, Expanded(t, sizes), t.dtype());
  };
  const Tensor a = rows(x1, m), b = rows(x2, n);
  RunDistances(call, out, false, {out.numel() / (m * n), m, n, d, a.data(), b.data(), nullptr, p});
}
void Pdist(Call call, const Tensor& out, const Tensor& self, double p) {
  if (out.numel() == 0) return;
  const Tensor in = Dense(call, self, self.dtype());
  const int64_t n = self.sizes()[0], d = self.sizes()[1];
  RunDistances(call, out, true, {1, n, n, d, in.data(), in.data(), nullptr, p});
}

const Kernel cdist{"cdist", "cuda", kFloats, Cdist};
const Kernel pdist{"pdist", "cuda", kFloats, Pdist};

}  // namespace
}  // namespace sy::cuda
