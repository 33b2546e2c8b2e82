// What kernels of networks are launched with: plain structs that the host fills in and the device
// reads. Tensors are dense unless a line says otherwise.
//
// The host and NVRTC compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NN_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NN_ARGS_H_

#include "switchyard/backends/cuda/device/args.h"

namespace sy::cuda {

// Windows that slide over three dimensions (ops/nn/window.h).
struct Windows {
  long long inputs[3], outputs[3], kernel[3], stride[3], padding[3], dilation[3];
};

// in: [planes, inputs], out and places, int64: [planes, outputs]. places null: not asked for.
struct PoolArgs {
  Windows w;
  long long planes;
  const void* in;
  void *out, *places;
  bool adaptive, include_pad;
  long long divisor;  // of sums; 0: as many as there are
  bool rounds;        // averages: 16-bit floats after each operation
};

// in: [planes, inputs], samples: [planes, dims], out and places, int64: [planes, outputs].
struct FractionalArgs {
  Windows w;
  long long planes;
  const void *in, *samples;
  void *out, *places;
  int dims;
};

// By what a column's number is taken apart, where all of them fit 31 bits.
struct ColumnDividers {
  Divider outputs, taps, samples;                                    // all of them
  Divider output_rows, output_columns, kernel_rows, kernel_columns;  // the last two sizes
};

// image: [planes, inputs], columns: [planes, kernel, outputs].
struct ColumnArgs {
  Windows w;
  long long planes;
  const void* image;
  void* columns;
  ColumnDividers dividers;
};

// image: [samples, channels, inputs], columns: [channels, kernel, samples, outputs].
struct BatchColumnArgs {
  Windows w;
  long long samples, channels;
  const void* image;
  void* columns;
  ColumnDividers dividers;
};

// x: [samples, groups in, inputs], y: [samples, groups out, outputs], weight: [groups out, in,
// kernel]; transposed: the windows slide over y, weight: [groups in, out, kernel]. in and out:
// channels of a group. bias: null: none.
struct ConvolutionArgs {
  Windows w;
  long long samples, groups, in, out;
  const void *x, *weight, *bias;
  void* y;
  // Of the columns that are added up: [planes, kernel, outputs], planes = samples groups in.
  const void* columns;
};

// Statistics of channels as they come from a reduction, and what becomes of them. Null: not there.
struct ChannelArgs {
  long long channels;
  const double *mean, *variance;  // of the batch, the variance by all elements; null: not training
  const double *weight, *bias;
  double *running_mean, *running_var, *saved_mean, *saved_factor;
  double* values;  // [2, channels]: scale and shift, or [4, channels]: mean, factor, weight, bias
  double count, momentum, eps;
};
// Channels of n elements each, [samples, channels, n], or groups of them.
struct ScaleArgs {
  const void* in;
  void* out;
  long long total, channels, n;
  const double* values;         // as ChannelArgs'
  const double *weight, *bias;  // of groups
  double *mean, *factor;        // of groups; null: not asked for
  long long groups;
  double eps;
};

// What normalisations pass back, of rows of n elements. Statistic s is of rows s * first + k *
// next, for k up to rows_of_one, and row r has statistic r / each % statistics. Null: not there.
struct NormBackwardArgs {
  long long rows, n, channels, statistics, each, first, next, rows_of_one;
  const void *grad, *in;
  void* out;
  const double *mean, *factor;  // of statistics
  const double* weight;         // of channels, r % channels; of layer_norm: [n]
  double* slopes;               // [2, rows]: sums of grad, and of grad (in - mean)
  double* coefficients;         // [3, rows]: what grad, in - mean and 1 are multiplied by
  double *to_weight, *to_bias;  // of channels; of layer_norm: [parts, n]
  bool of_batch;                // statistics are those of the rows
  bool steps;                   // 16-bit floats: sums and steps are rounded; grad - the third
                                // coefficient - in - mean times the second, times the first
  double eps;
};

// q: [batch, heads, l, d], k: [batch, heads / grouped, s, d], v: likewise [.., s, f], by strides in
// elements, the last one included; mask: null or [batch, heads, l, s], likewise. out and sums:
// strides too.
struct AttentionArgs {
  const void *q, *k, *v, *mask;
  void *out, *sums;
  long long heads, grouped, l, s, d, f;
  long long q_strides[4], k_strides[4], v_strides[4], mask_strides[4], out_strides[4],
      sum_strides[3];
  double scale;
};

// x: [batch, m, d], y: [batch, n, d], out: [batch, m, n], or the pairs of rows of x = y.
struct DistanceArgs {
  long long batch, m, n, d;
  const void *x, *y;
  void* out;
  double p;
};

// data: [batches, length, inner], out: [batches, segments, inner]; bounds, int64: segments + 1
// a batch.
struct SegmentArgs {
  long long batches, segments, length, inner;
  const void *data, *bounds;
  void* out;
  const void *grad, *output;  // as out; of what is passed back, to out, which is as data then
  Immediate initial;
  bool has_initial;
};

// in: [images, channels, inputs], grid: [images, n, dims], out: [images, channels, n].
struct SampleArgs {
  long long images, channels, n, inputs[3];
  const void *in, *grid;
  void* out;
};

// What of them is passed back: grad: [images, channels, n]; out: like in, or like grid. row: places
// of a row of the grid, whose ends part what is summed at once, or 0. bands: threads of a plane.
struct SampleGradientArgs {
  long long images, channels, n, inputs[3];
  const void *in, *grid, *grad;
  void* out;
  long long row, bands;
};

// scores: [rows, classes]; target, int64: a class a row, or classes up to a -1; losses: one a row.
struct MarginArgs {
  long long rows, classes;
  const void *scores, *weight, *target;
  double* losses;
  double margin;
  // What is passed back, to out, as scores, of grad, one number or, `each`, one a row, times scale.
  const void *grad, *is_target;
  void* out;  // or, as scores, which classes are targets
  double scale;
  bool each;
  Report* report;
  int op;
};

// scores: [samples, classes, inner]; target, int64: [samples, inner], count in all. weight, of
// scores' type: [classes]; null: 1.
struct NllArgs {
  long long count, classes, inner, ignored;
  const void *scores, *weight, *target;
  double* costs;  // [2, count]: losses, and the targets' weights
  // What is passed back, to out, as scores. grad: one number, or, `each`, count; total: what it is
  // divided by, or null.
  const void *grad, *total;
  void* out;
  bool each;
  Report* report;
  int op;
};
struct NllSumArgs {
  const double* sums;  // of losses and of weights
  void *loss, *weight;
  bool mean;
};

// Sequences of classes (ctc_loss). log_probs, double: [steps, samples, classes]; targets, int64;
// lengths, int64: [3, samples], of inputs, of targets, and where each target begins. width: states
// of the longest target. alpha, double: [samples, steps, width].
struct CtcArgs {
  long long steps, samples, classes, width, blank;
  const void *log_probs, *targets, *lengths;
  double *alpha, *losses;
  // What is passed back: grad of losses, to out, as log_probs. beta: [samples, 2, width].
  const double* grad;
  double *out, *beta;
  bool zero_infinity;
  Report* report;
  int op;
};

// steps numbers from start to end. Numbers: of the type that they are computed in.
struct SpacedArgs {
  void* out;
  long long steps;
  Immediate start, end, step, base;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NN_ARGS_H_
