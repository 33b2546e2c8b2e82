// Channels one by one: their sums, and while they are in the cache what is passed back.
#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "backends/cpu/kernels/nn/norm_backward.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cpu {
namespace {

struct Statistics {
  std::vector<double> mean, factor, weight;
  bool of_batch;
  bool steps;  // 16-bit floats that do not lie densely: sums and steps are rounded
};

// [pieces, channels, length], dense; out may be null. sums: what weight and bias get.
struct Channels {
  DType dtype;
  int64_t pieces, channels, length;
  const void *grad, *in;
  void* out;
};

// n elements of a channel. Source: batch_norm_backward_cpu_template, whose other path is in rows.
template <class T>
void PassBackStepwise(void* out, const void* grad, const void* in, size_t n, double mean,
                      double factor, double weight, const RowSlopes& all, double count) {
  const auto rounded = [](double v) { return static_cast<float>(T(static_cast<float>(v))); };
  const float center = static_cast<float>(mean), f = static_cast<float>(factor),
              total = static_cast<float>(count),
              slope = rounded(rounded(all.centred) * f * f / total),
              shift = rounded(all.sum) / total, scale = static_cast<float>(weight);
  const T *g = static_cast<const T*>(grad), *x = static_cast<const T*>(in);
  T* to = static_cast<T*>(out);
  for (size_t i = 0; i < n; ++i) {
    const float own = rounded((static_cast<float>(x[i]) - center) * slope);
    to[i] = T((static_cast<float>(g[i]) - shift - own) * f * scale);
  }
}

void RunChannels(const Channels& s, const Statistics& given, std::vector<double>& to_weight,
                 std::vector<double>& to_bias) {
  const RowLoops& rows = RowsOf(s.dtype);
  const auto n = static_cast<size_t>(s.length);
  const int64_t step = s.length * static_cast<int64_t>(ItemSize(s.dtype));
  const double count = static_cast<double>(s.pieces * s.length);
  const auto row = [&](auto* p, int64_t i, int64_t c) { return p + (i * s.channels + c) * step; };
  const char *grad = static_cast<const char*>(s.grad), *in = static_cast<const char*>(s.in);
  char* out = static_cast<char*>(s.out);
  ParallelFor(
      s.channels, std::max<int64_t>(1, kNormGrain / (s.pieces * s.length)),
      [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
          const auto k = static_cast<size_t>(c);
          const double mean = given.mean[k], factor = given.factor[k], weight = given.weight[k];
          RowSlopes all{0, 0};
          for (int64_t i = 0; i < s.pieces; ++i) {
            const RowSlopes own = rows.slopes(row(grad, i, c), row(in, i, c), n, mean, nullptr);
            all.sum += own.sum;
            all.centred += own.centred;
          }
          to_weight[k] = all.centred * factor;
          to_bias[k] = all.sum;
          if (out == nullptr) continue;
          const InputGradient to_x(factor, all, count);
          for (int64_t i = 0; i < s.pieces; ++i) {
            if (given.of_batch && given.steps) {
              const auto stepwise =
                  s.dtype == DType::kBFloat16 ? PassBackStepwise<BFloat16> : PassBackStepwise<Half>;
              stepwise(row(out, i, c), row(grad, i, c), row(in, i, c), n, mean, factor, weight, all,
                       count);
            } else if (given.of_batch) {
              rows.normalize_backward(row(out, i, c), row(grad, i, c), row(in, i, c), n, mean,
                                      factor * weight, to_x.slope * weight, to_x.shift * weight,
                                      nullptr);
            } else {
              rows.scale(row(out, i, c), row(grad, i, c), n, factor * weight, 0);
            }
          }
        }
      });
}

void StoreIfAsked(const Tensor& t, const std::vector<double>& values) {
  if (!t.defined() || values.empty()) return;
  IntoDense(t, DType::kFloat64,
            [&](const Tensor& to) { std::copy(values.begin(), values.end(), to.data<double>()); });
}

Gradients BatchNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& weight, const Tensor& running_mean,
                            const Tensor& running_var, const Tensor& save_mean,
                            const Tensor& save_invstd, bool train, double eps,
                            OutputMask output_mask) {
  Gradients made = BatchNormGradients(call, grad_out, input, weight, running_mean, running_var,
                                      save_mean, save_invstd, train, eps, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    FillIfAsked(to_weight, 0);
    FillIfAsked(to_bias, 0);
    return made;
  }
  const ChannelSizes s = ChannelSizesOf(input);
  Statistics given{Numbers(train ? save_mean : running_mean, s.channels, 0),
                   Numbers(train ? save_invstd : running_var, s.channels, 1),
                   Numbers(weight, s.channels, 1), train,
                   Contains(kHalfTypes, input.dtype()) && !LieAlike(input, grad_out)};
  if (!train) {
    for (double& f : given.factor) f = 1 / std::sqrt(f + eps);
  }
  // Long enough to be taken one by one; else each channel's elements are brought together.
  const bool pieces = s.inner > 64 && input.is_contiguous();
  const DType d = input.dtype();
  const auto arranged = [&](const Tensor& t) { return pieces ? t : ChannelsFirst(t); };
  const Tensor g = Dense(arranged(grad_out), d), x = Dense(arranged(input), d);
  std::vector<double> weights(given.mean.size()), biases(given.mean.size());
  Channels channels{d,          pieces ? s.samples : 1,
                    s.channels, pieces ? s.inner : s.inner * s.samples,
                    g.data(),   x.data(),
                    nullptr};
  if (to_input.defined()) {
    IntoDense(arranged(to_input), d, [&](const Tensor& to) {
      channels.out = to.data();
      RunChannels(channels, given, weights, biases);
    });
  } else {
    RunChannels(channels, given, weights, biases);
  }
  StoreIfAsked(to_weight, weights);
  StoreIfAsked(to_bias, biases);
  return made;
}

const Kernel kernel{"native_batch_norm_backward", "cpu", kFloatingTypes, BatchNormBackward};

}  // namespace
}  // namespace sy::cpu
