// Groups one by one: the sums of their channels, and while they are in the cache what is passed
// back.
#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/nn/channel_norm.h"
#include "backends/cpu/kernels/nn/norm_backward.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cpu {
namespace {

Gradients GroupNormBackward(Call call, const Tensor& grad_out, const Tensor& input,
                            const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                            int64_t samples, int64_t channels, int64_t inner, int64_t groups,
                            OutputMask output_mask) {
  Gradients made = GroupNormGradients(call, grad_out, input, mean, rstd, weight, samples, channels,
                                      inner, groups, output_mask);
  const auto& [to_input, to_weight, to_bias] = made;
  if (input.numel() == 0) {
    FillIfAsked(to_weight, 0);
    FillIfAsked(to_bias, 0);
    return made;
  }
  const DType d = input.dtype();
  const RowLoops& rows = RowsOf(d);
  const Tensor g = Dense(grad_out, d), x = Dense(input, d);
  const std::vector<double> w = Numbers(weight, channels, 1),
                            means = Numbers(Contiguous(mean), samples * groups, 0),
                            factors = Numbers(Contiguous(rstd), samples * groups, 1);
  const int64_t step = inner * static_cast<int64_t>(ItemSize(d)), each = channels / groups;
  const auto n = static_cast<size_t>(inner);
  std::vector<RowSlopes> slopes(static_cast<size_t>(samples * channels));
  const auto run = [&](char* out) {
    ParallelFor(
        samples * groups, std::max<int64_t>(1, kNormGrain / (each * inner)),
        [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const double m = means[static_cast<size_t>(i)], f = factors[static_cast<size_t>(i)];
            const char *grad = static_cast<const char*>(g.data()) + i * each * step,
                       *in = static_cast<const char*>(x.data()) + i * each * step;
            const double* weights = w.data() + i % groups * each;
            RowSlopes all{0, 0};
            for (int64_t k = 0; k < each; ++k) {
              RowSlopes own = rows.slopes(grad + k * step, in + k * step, n, m, nullptr);
              all.sum += own.sum * weights[k];
              all.centred += own.centred * weights[k];
              own.centred *= f;
              slopes[static_cast<size_t>(i * each + k)] = own;
            }
            if (out == nullptr) continue;
            const InputGradient to_x(f, all, static_cast<double>(each * inner));
            for (int64_t k = 0; k < each; ++k) {
              rows.normalize_backward(out + (i * each + k) * step, grad + k * step, in + k * step,
                                      n, m, f * weights[k], to_x.slope, to_x.shift, nullptr);
            }
          }
        });
  };
  if (to_input.defined()) {
    IntoDense(to_input, d, [&](const Tensor& to) { run(static_cast<char*>(to.data())); });
  } else {
    run(nullptr);
  }
  const auto store = [&](const Tensor& t, double RowSlopes::*part) {
    if (!t.defined()) return;
    IntoDense(t, DType::kFloat64, [&](const Tensor& to) {
      for (int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (int64_t i = 0; i < samples; ++i)
          sum += slopes[static_cast<size_t>(i * channels + c)].*part;
        to.data<double>()[c] = sum;
      }
    });
  };
  store(to_weight, &RowSlopes::centred);
  store(to_bias, &RowSlopes::sum);
  return made;
}

const Kernel kernel{"native_group_norm_backward", "cpu", kFloatingTypes, GroupNormBackward};

}  // namespace
}  // namespace sy::cpu
