// Normalisation of groups of channels of each sample.
#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void GroupNorm(Call, const Tensor& out, const Tensor& input, int64_t groups, const Tensor& weight,
               const Tensor& bias, double eps, bool) {
  if (out.numel() == 0) return;
  const ChannelSizes s = ChannelSizesOf(input);
  const DType d = input.dtype();
  const RowLoops& rows = RowsOf(d);
  const std::vector<double> w = Numbers(weight, s.channels, 1), b = Numbers(bias, s.channels, 0);
  const Tensor in = Dense(input, d);
  IntoDense(out, d, [&](const Tensor& to) {
    const int64_t item = static_cast<int64_t>(ItemSize(d)), step = s.inner * item;
    const int64_t each = s.channels / groups, n = each * s.inner;
    ParallelFor(s.samples * groups, std::max<int64_t>(1, kNormGrain / n),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const char* x = static_cast<const char*>(in.data()) + i * n * item;
                    char* y = static_cast<char*>(to.data()) + i * n * item;
                    const RowMoments m = rows.moments(x, static_cast<size_t>(n));
                    const double factor = 1 / std::sqrt(m.square / static_cast<double>(n) + eps);
                    for (int64_t k = 0; k < each; ++k) {
                      const size_t c = static_cast<size_t>(i % groups * each + k);
                      const double scale = factor * w[c];
                      rows.scale(y + k * step, x + k * step, static_cast<size_t>(s.inner), scale,
                                 b[c] - m.mean * scale);
                    }
                  }
                });
  });
}

const Kernel kernel{"group_norm", "cpu", kFloatingTypes, GroupNorm};

}  // namespace
}  // namespace sy::cpu
