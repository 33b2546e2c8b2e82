// Normalisation of channels over all samples.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

Tensor Wide(const std::vector<double>& values) {
  const Tensor t = Tensor::Empty({static_cast<int64_t>(values.size())}, DType::kFloat64);
  std::copy(values.begin(), values.end(), t.data<double>());
  return t;
}
void Store(const Tensor& t, const std::vector<double>& values) {
  if (!values.empty()) CopyElements(t, Wide(values));
}

// x as an element of dtype d: ATen keeps statistics in the parameters' dtype before it uses them.
double RoundTo(DType d, double x) {
  return VisitDType<kFloatingTypes>(d, [x](auto tag) {
    using T = typename decltype(tag)::type;
    using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
    return static_cast<double>(static_cast<Wide>(T(static_cast<Wide>(x))));
  });
}

// t with the channels last, or first.
Tensor ChannelsMoved(const Tensor& t, bool last) {
  int order[kMaxRank];
  const int rank = static_cast<int>(t.dim());
  for (int d = 0, at = last ? 0 : 1; d < rank; ++d) {
    if (d != 1) order[at++] = d;
  }
  order[last ? rank - 1 : 0] = 1;
  return Permuted(t, {order, static_cast<size_t>(rank)});
}

// out = in scale + shift, each channel with its own.
void ScaleChannels(const Tensor& out, const Tensor& in, const std::vector<double>& scale,
                   const std::vector<double>& shift) {
  const DType d = out.dtype();
  const RowLoops& rows = RowsOf(d);
  const ChannelSizes s = ChannelSizesOf(in);
  const int64_t item = static_cast<int64_t>(ItemSize(d));
  // Channels beside one another: rows of all channels.
  if (s.inner == 1 || ChannelsMoved(out, true).is_contiguous()) {
    const DType wide = WideOf(d);
    const Tensor w = Tensor::Empty({s.channels}, wide), b = Tensor::Empty({s.channels}, wide);
    Store(w, scale);
    Store(b, shift);
    const Tensor x = Dense(ChannelsMoved(in, true), d);
    IntoDense(ChannelsMoved(out, true), d, [&](const Tensor& y) {
      const int64_t step = s.channels * item;
      ParallelFor(s.samples * s.inner, std::max<int64_t>(1, kNormGrain / s.channels),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) {
                      rows.normalize(static_cast<char*>(y.data()) + i * step,
                                     static_cast<const char*>(x.data()) + i * step,
                                     static_cast<size_t>(s.channels), 0, 1, w.data(), b.data());
                    }
                  });
    });
    return;
  }
  const Tensor x = Dense(in, d);
  IntoDense(out, d, [&](const Tensor& y) {
    const int64_t step = s.inner * item;
    ParallelFor(s.samples * s.channels, std::max<int64_t>(1, kNormGrain / s.inner),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const size_t c = static_cast<size_t>(i % s.channels);
                    rows.scale(static_cast<char*>(y.data()) + i * step,
                               static_cast<const char*>(x.data()) + i * step,
                               static_cast<size_t>(s.inner), scale[c], shift[c]);
                  }
                });
  });
}

// 16-bit floats that do not lie densely: each step is rounded. Source:
// batch_norm_cpu_transform_input_template, whose other path is ScaleChannels.
template <class T>
void NormalizeStepwise(const Tensor& out, const Tensor& in, const std::vector<double>& means,
                       const std::vector<double>& factors, const std::vector<double>& weight,
                       const std::vector<double>& bias) {
  const ChannelSizes s = ChannelSizesOf(in);
  const Tensor x = Dense(in, in.dtype());
  const auto rounded = [](float v) { return static_cast<float>(T(v)); };
  IntoDense(out, out.dtype(), [&](const Tensor& y) {
    const T* from = x.data<T>();
    T* to = y.data<T>();
    for (int64_t i = 0; i < x.numel(); ++i) {
      const size_t c = static_cast<size_t>(i / s.inner % s.channels);
      const float centered = rounded(static_cast<float>(from[i]) - static_cast<float>(means[c])),
                  unit = rounded(centered * static_cast<float>(factors[c]));
      to[i] = T(rounded(unit * static_cast<float>(weight[c])) + static_cast<float>(bias[c]));
    }
  });
}

// The mean of each channel and the sum of squared distances from it.
void ChannelMoments(const Tensor& in, std::vector<double>& means, std::vector<double>& squares) {
  const ChannelSizes s = ChannelSizesOf(in);
  const RowLoops& rows = RowsOf(in.dtype());
  const bool pieces = s.inner > 64 && in.is_contiguous();  // long enough to be taken one by one
  const Tensor x = pieces ? in : Dense(ChannelsMoved(in, false), in.dtype());
  const int64_t length = pieces ? s.inner : s.inner * s.samples, count = pieces ? s.samples : 1;
  const int64_t item = static_cast<int64_t>(x.itemsize());
  ParallelFor(s.channels, std::max<int64_t>(1, kNormGrain / (s.samples * s.inner)),
              [&](int64_t begin, int64_t end) {
                for (int64_t c = begin; c < end; ++c) {
                  double n = 0, mean = 0, square = 0;
                  for (int64_t i = 0; i < count; ++i) {
                    const char* row =
                        static_cast<const char*>(x.data()) + (i * s.channels + c) * length * item;
                    const RowMoments m = rows.moments(row, static_cast<size_t>(length));
                    const double own = static_cast<double>(length), both = n + own;
                    const double off = m.mean - mean;
                    square += m.square + off * off * n * own / both;
                    mean += off * own / both;
                    n = both;
                  }
                  means[static_cast<size_t>(c)] = mean;
                  squares[static_cast<size_t>(c)] = square;
                }
              });
}

// Statistics of a batch as ATen keeps them: those of 16-bit floats are rounded where it has them in
// tensors. squares become relative to the mean that is kept.
std::vector<double> FactorsOf(const Tensor& input, bool dense, DType d, double n, double eps,
                              std::vector<double>& means, std::vector<double>& squares) {
  std::vector<double> factors(means.size());
  for (size_t c = 0; c < means.size(); ++c) {
    double variance = squares[c] / n;
    if (input.dtype() == DType::kBFloat16 && dense) {
      squares[c] = RoundTo(d, squares[c]);
      variance = RoundTo(d, squares[c] / n);
    } else if (!dense) {
      const double off = means[c] - RoundTo(d, means[c]);
      means[c] = RoundTo(d, means[c]);
      squares[c] += n * off * off;
      variance = squares[c] / n;
    }
    factors[c] = 1 / std::sqrt(variance + eps);
  }
  return factors;
}

void BatchNorm(Call, const Tensor& out, const Tensor& saved_mean, const Tensor& saved_factor,
               const Tensor& input, const Tensor& weight, const Tensor& bias,
               const Tensor& running_mean, const Tensor& running_var, bool training,
               double momentum, double eps) {
  const ChannelSizes s = ChannelSizesOf(input);
  const size_t channels = static_cast<size_t>(s.channels);
  const DType d = saved_mean.dtype();
  const bool dense = input.is_contiguous() || ChannelsMoved(input, true).is_contiguous();
  const bool stepwise = !dense && Contains(kHalfTypes, input.dtype());
  std::vector<double> means(channels), factors(channels);
  // Statistics and what they are stored in: last, when nothing can fail any more.
  std::vector<std::pair<Tensor, Tensor>> updates;
  if (training) {
    std::vector<double> squares(channels);
    const double n = static_cast<double>(s.samples * s.inner);
    if (input.numel() != 0) ChannelMoments(input, means, squares);
    factors = FactorsOf(input, dense, d, n, eps, means, squares);
    if (running_mean.defined() && input.numel() != 0) {
      std::vector<double> mean = Numbers(running_mean, s.channels, 0),
                          var = Numbers(running_var, s.channels, 0);
      for (size_t c = 0; c < channels; ++c) {
        mean[c] = momentum * means[c] + (1 - momentum) * mean[c];
        var[c] = momentum * (squares[c] / (n - 1)) + (1 - momentum) * var[c];
      }
      updates.emplace_back(running_mean, Wide(mean));
      updates.emplace_back(running_var, Wide(var));
    }
    updates.emplace_back(saved_mean, Wide(means));
    updates.emplace_back(saved_factor, Wide(factors));
    for (size_t c = 0; c < channels; ++c) {
      means[c] = RoundTo(d, means[c]);
      factors[c] = RoundTo(d, factors[c]);
    }
  } else {
    means = Numbers(running_mean, s.channels, 0);
    const std::vector<double> var = Numbers(running_var, s.channels, 1);
    for (size_t c = 0; c < channels; ++c) {
      factors[c] = stepwise ? RoundTo(d, 1 / RoundTo(d, std::sqrt(RoundTo(d, var[c] + eps))))
                            : 1 / std::sqrt(var[c] + eps);
    }
  }
  if (out.numel() != 0) {
    std::vector<double> scale = Numbers(weight, s.channels, 1),
                        shift = Numbers(bias, s.channels, 0);
    if (stepwise) {
      VisitDType<kHalfTypes>(out.dtype(), [&](auto tag) {
        NormalizeStepwise<typename decltype(tag)::type>(out, input, means, factors, scale, shift);
      });
    } else {
      for (size_t c = 0; c < channels; ++c) {
        scale[c] *= factors[c];
        shift[c] -= means[c] * scale[c];
      }
      ScaleChannels(out, input, scale, shift);
    }
  }
  for (const auto& [to, values] : updates) {
    if (channels != 0) CopyElements(to, values);
  }
}

void BatchNormNoStats(Call call, const Tensor& out, const Tensor& saved_mean,
                      const Tensor& saved_factor, const Tensor& input, const Tensor& weight,
                      const Tensor& bias, bool training, double momentum, double eps) {
  BatchNorm(call, out, saved_mean, saved_factor, input, weight, bias, Tensor(), Tensor(), training,
            momentum, eps);
}

const Kernel batch_norm{"_native_batch_norm_legit", "cpu", kFloatingTypes, BatchNorm};
const Kernel batch_norm_no_stats{"_native_batch_norm_legit.no_stats", "cpu", kFloatingTypes,
                                 BatchNormNoStats};

}  // namespace
}  // namespace sy::cpu
