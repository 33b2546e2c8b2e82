// What normalisations pass back: of x, the input, of g, the gradient of the result times weight,
// and of f = 1 / deviation it is
//
//   g f - (x - mean) sum(g (x - mean)) f^3 / n - sum(g) f / n
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_BACKWARD_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_BACKWARD_H_

#include "switchyard/backends/cuda/device/lines.h"
#include "switchyard/backends/cuda/device/nn_args.h"

namespace sy::cuda {

struct Slopes {
  double sum, centred;
};
SY_FN Slopes operator+(Slopes a, Slopes b) { return {a.sum + b.sum, a.centred + b.centred}; }

template <class T>
SY_FN double WideAt(const void* p, long long i) {
  return static_cast<double>(Lift(static_cast<const T*>(p)[i]).v);
}
// Of a row, by all threads of a block. weight: [n] or null.
template <class T>
SY_FN Slopes SlopesOfRow(const NormBackwardArgs& args, long long row, double mean,
                         const double* weight) {
  Slopes mine{0, 0};
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    double g = WideAt<T>(args.grad, row * args.n + i);
    if (weight != nullptr) g *= weight[i];
    mine = mine + Slopes{g, g * (WideAt<T>(args.in, row * args.n + i) - mean)};
  }
  return BlockAll(mine, [](Slopes a, Slopes b) { return a + b; });
}

// A block for each row.
template <class T>
SY_FN void LayerNormToInput(const NormBackwardArgs& args) {
  const long long row = blockIdx.x;
  const double mean = args.mean[row], factor = args.factor[row];
  const Slopes all = SlopesOfRow<T>(args, row, mean, args.weight);
  const double count = static_cast<double>(args.n),
               slope = -all.centred * factor * factor * factor / count,
               shift = -all.sum * factor / count;
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    const long long at = row * args.n + i;
    double g = WideAt<T>(args.grad, at);
    if (args.weight != nullptr) g *= args.weight[i];
    static_cast<T*>(args.out)[at] =
        Convert<T>(g * factor + ((WideAt<T>(args.in, at) - mean) * slope + shift));
  }
}
// 32 columns a block, of a part of the rows: part blockIdx.y of gridDim.y. Its threads take every
// eighth row of a column.
template <class T>
SY_FN void LayerNormToParameters(const NormBackwardArgs& args) {
  constexpr int kColumns = 32, kBeside = kLineThreads / kColumns;
  __shared__ Slopes sums[kLineThreads];
  const int lane = static_cast<int>(threadIdx.x) % kColumns,
            beside = static_cast<int>(threadIdx.x) / kColumns;
  const long long column = static_cast<long long>(blockIdx.x) * kColumns + lane, part = blockIdx.y,
                  parts = gridDim.y;
  Slopes mine{0, 0};
  if (column < args.n) {
    const long long end = args.rows * (part + 1) / parts;
    for (long long row = args.rows * part / parts + beside; row < end; row += kBeside) {
      const long long at = row * args.n + column;
      const double g = WideAt<T>(args.grad, at);
      mine = mine + Slopes{g, g * (WideAt<T>(args.in, at) - args.mean[row]) * args.factor[row]};
    }
  }
  sums[threadIdx.x] = mine;
  __syncthreads();
  if (beside != 0 || column >= args.n) return;
  for (int k = 1; k < kBeside; ++k) mine = mine + sums[k * kColumns + lane];
  if (args.to_weight != nullptr) args.to_weight[part * args.n + column] = mine.centred;
  if (args.to_bias != nullptr) args.to_bias[part * args.n + column] = mine.sum;
}

// --- Of channels and groups: sums of rows, sums of these, and then each element.

// slopes = 1 / deviation of variances (factor).
template <class T>
SY_FN void FactorsOfVariances(const NormBackwardArgs& args) {
  const long long s = ThreadIndex();
  if (s < args.statistics) args.slopes[s] = 1 / ::sqrt(args.factor[s] + args.eps);
}
template <class T>
SY_FN void RowSlopes(const NormBackwardArgs& args) {
  const long long row = blockIdx.x;
  const Slopes all =
      SlopesOfRow<T>(args, row, args.mean[row / args.each % args.statistics], nullptr);
  if (threadIdx.x != 0) return;
  args.slopes[row] = all.sum;
  args.slopes[args.rows + row] = all.centred;
}
// x as an element of T.
template <class T>
SY_FN float Stored(double x) {
  return static_cast<float>(Lift(Convert<T>(static_cast<float>(x))).v);
}
// A block for each statistic. T: the rows'.
template <class T>
SY_FN void RowCoefficients(const NormBackwardArgs& args) {
  const long long s = blockIdx.x;
  const auto row_of = [&](long long k) { return s * args.first + k * args.next; };
  const auto weight = [&](long long row) {
    return args.weight == nullptr ? 1.0 : args.weight[row % args.channels];
  };
  Slopes mine{0, 0};
  for (long long k = threadIdx.x; k < args.rows_of_one; k += kLineThreads) {
    const long long row = row_of(k);
    const double w = args.steps ? 1.0 : weight(row);
    mine = mine + Slopes{w * args.slopes[row], w * args.slopes[args.rows + row]};
  }
  const Slopes all = BlockAll(mine, [](Slopes a, Slopes b) { return a + b; });
  const double factor = args.factor[s],
               count = static_cast<double>(args.rows_of_one) * static_cast<double>(args.n);
  for (long long k = threadIdx.x; k < args.rows_of_one; k += kLineThreads) {
    const long long row = row_of(k);
    args.coefficients[row] = factor * weight(row);
    double slope = -all.centred * factor * factor * factor / count,
           shift = -all.sum * factor / count;
    if (args.steps) {  // as on the host
      const float f = static_cast<float>(factor), total = static_cast<float>(count);
      slope = static_cast<double>(Stored<T>(Stored<T>(all.centred) * f * f / total));
      shift = static_cast<double>(Stored<T>(all.sum) / total);
    }
    args.coefficients[args.rows + row] = args.of_batch ? slope : 0.0;
    args.coefficients[2 * args.rows + row] = args.of_batch ? shift : 0.0;
  }
}
// A block for each channel. T: of no matter.
template <class T>
SY_FN void ChannelGradients(const NormBackwardArgs& args) {
  const long long channel = blockIdx.x, samples = args.rows / args.channels;
  Slopes mine{0, 0};
  for (long long i = threadIdx.x; i < samples; i += kLineThreads) {
    const long long row = i * args.channels + channel;
    const double factor = args.factor[row / args.each % args.statistics];
    mine = mine + Slopes{args.slopes[row], args.slopes[args.rows + row] * factor};
  }
  const Slopes all = BlockAll(mine, [](Slopes a, Slopes b) { return a + b; });
  if (threadIdx.x != 0) return;
  if (args.to_weight != nullptr) args.to_weight[channel] = all.centred;
  if (args.to_bias != nullptr) args.to_bias[channel] = all.sum;
}
template <class T>
SY_FN void RowsToInput(const NormBackwardArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.rows * args.n) return;
  const long long row = i / args.n;
  const double mean = args.mean[row / args.each % args.statistics];
  const double g = WideAt<T>(args.grad, i), off = WideAt<T>(args.in, i) - mean,
               factor = args.coefficients[row], slope = args.coefficients[args.rows + row],
               shift = args.coefficients[2 * args.rows + row];
  const double value = args.steps
                           ? (g - shift - static_cast<double>(Stored<T>(off * slope))) * factor
                           : g * factor + (off * slope + shift);
  static_cast<T*>(args.out)[i] = Convert<T>(value);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_BACKWARD_H_
