// Normalisation of groups of channels of each sample.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

struct GroupSizes {
  int64_t samples, channels, inner, groups;
};

// stats(i, mean, 1 / deviation) takes what each group has.
template <class F>
void Normalize(const Tensor& out, const Tensor& input, const GroupSizes& s, const Tensor& weight,
               const Tensor& bias, double eps, F stats) {
  if (out.numel() == 0) return;
  const DType d = input.dtype();
  const RowLoops& rows = RowsOf(d);
  const std::vector<double> w = Numbers(weight, s.channels, 1), b = Numbers(bias, s.channels, 0);
  const Tensor in = Dense(input, d);
  IntoDense(out, d, [&](const Tensor& to) {
    const int64_t item = static_cast<int64_t>(ItemSize(d)), step = s.inner * item;
    const int64_t each = s.channels / s.groups, n = each * s.inner;
    ParallelFor(s.samples * s.groups, std::max<int64_t>(1, kNormGrain / n),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const char* x = static_cast<const char*>(in.data()) + i * n * item;
                    char* y = static_cast<char*>(to.data()) + i * n * item;
                    const RowMoments m = rows.moments(x, static_cast<size_t>(n));
                    const double factor = 1 / std::sqrt(m.square / static_cast<double>(n) + eps);
                    for (int64_t k = 0; k < each; ++k) {
                      const size_t c = static_cast<size_t>(i % s.groups * each + k);
                      const double scale = factor * w[c];
                      rows.scale(y + k * step, x + k * step, static_cast<size_t>(s.inner), scale,
                                 b[c] - m.mean * scale);
                    }
                    stats(i, m.mean, factor);
                  }
                });
  });
}

void GroupNorm(Call, const Tensor& out, const Tensor& input, int64_t groups, const Tensor& weight,
               const Tensor& bias, double eps, bool) {
  const ChannelSizes s = ChannelSizesOf(input);
  Normalize(out, input, {s.samples, s.channels, s.inner, groups}, weight, bias, eps,
            [](int64_t, double, double) {});
}

void NativeGroupNorm(Call, const Tensor& out, const Tensor& mean, const Tensor& factor,
                     const Tensor& input, const Tensor& weight, const Tensor& bias, int64_t samples,
                     int64_t channels, int64_t inner, int64_t groups, double eps) {
  IntoDense(mean, DType::kFloat64, [&](const Tensor& means) {
    IntoDense(factor, DType::kFloat64, [&](const Tensor& factors) {
      if (input.numel() == 0 && means.numel() != 0) {  // groups without elements
        FillElements(means, Scalar(0));
        FillElements(factors, Scalar(std::numeric_limits<double>::quiet_NaN()));
      }
      Normalize(out, input, {samples, channels, inner, groups}, weight, bias, eps,
                [&](int64_t i, double m, double f) {
                  means.data<double>()[i] = m;
                  factors.data<double>()[i] = f;
                });
    });
  });
}

const Kernel group_norm{"group_norm", "cpu", kFloatingTypes, GroupNorm};
const Kernel native_group_norm{"native_group_norm", "cpu", kFloatingTypes, NativeGroupNorm};

}  // namespace
}  // namespace sy::cpu
