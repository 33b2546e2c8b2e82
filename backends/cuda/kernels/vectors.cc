// Products and distances of vectors: addr, linalg_cross, cdist, pdist.

#include <cmath>

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/lines.h"
#include "backends/cuda/kernels/run.h"
#include "backends/cuda/kernels/visit_order.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kMultiplied = kIntegers | kFloatingTypes | kComplexes;

// Each step is rounded to the dtype. Source: ATen/native/cpu/LinearAlgebraKernel.cpp.
void Addr(Call call, const Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2,
          const Scalar& beta, const Scalar& alpha) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const auto rounded = [d](const Scalar& x) {
    if (!Contains(kHalves, d)) return x;
    return VisitDType<kHalfTypes>(d, [&](auto tag) {
      return Scalar(static_cast<double>(static_cast<float>(x.To<typename decltype(tag)::type>())));
    });
  };
  const int64_t column[] = {vec1.sizes()[0], 1}, down[] = {vec1.strides()[0], 1};
  const Tensor left = vec1.AsStrided(column, down, vec1.storage_offset());
  if (beta.is_zero())
    return RunFormula(call, *Formula("outer"), out, {&left, &vec2}, {rounded(alpha)});
  RunFormula(call, *Formula("add_outer"), out, {&self, &left, &vec2},
             {rounded(beta), rounded(alpha)});
}

void Cross(Call call, const Tensor& out, const Tensor& self, const Tensor& other, int64_t dim) {
  const Tensor a = Expanded(self, out.sizes()), b = Expanded(other, out.sizes());
  static constexpr char kFamily = 0;
  const KernelKey key{&kFamily, {static_cast<uint64_t>(out.dtype()), 0, 0}};
  RunLines(call,
           {.body = "Cross<" + ElementName(out.dtype()),
            .key = key,
            .header = "vectors",
            .one_lane = true},
           WrapDim(dim, out.dim()), a, out, &b);
}

const Kernel addr{"addr", "cuda", kMultiplied | kBool, Addr};
const Kernel cross{"linalg_cross", "cuda", kMultiplied, Cross};

// As device/distance.h's.
int KindOf(double p) { return p == 0 ? 0 : p == 1 ? 1 : p == 2 ? 2 : std::isinf(p) ? 3 : 4; }
void RunDistances(Call call, const Tensor& out, bool pairs, DistanceArgs args) {
  static constexpr DeviceFunction kDistances{"distance", "DistanceArgs", "Distances"};
  constexpr int64_t kSide = 16, kMostBatches = 65535;
  const int64_t tiles = ((args.m + kSide - 1) / kSide) * ((args.n + kSide - 1) / kSide);
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    args.out = to.data();
    RunDevice(call, kDistances, {out.dtype()}, {KindOf(args.p), pairs},
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
