// Windows of images as columns of a matrix, and convolutions: an output a thread.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_COLUMNS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_COLUMNS_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

SY_FN long long CountOf(const long long (&sizes)[3]) { return sizes[0] * sizes[1] * sizes[2]; }

// Three indices of a position in row-major order.
struct Three {
  long long at[3];
  Three() = default;
  SY_FN Three(long long i, const long long (&sizes)[3]) {
    at[2] = i % sizes[2];
    i /= sizes[2];
    at[1] = i % sizes[1];
    at[0] = i / sizes[1];
  }
};

// The position in the image that tap `tap` of output `output` falls on; -1: in the padding.
SY_FN long long ImageAt(const Windows& w, const Three& output, const Three& tap) {
  long long position = 0;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const long long at = output.at[d] * w.stride[d] - w.padding[d] + tap.at[d] * w.dilation[d];
    if (at < 0 || at >= w.inputs[d]) return -1;
    position = position * w.inputs[d] + at;
  }
  return position;
}
// The output whose tap `tap` falls on `image`; -1: there is none.
SY_FN long long OutputAt(const Windows& w, const Three& image, const Three& tap) {
  long long position = 0;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const long long from = image.at[d] + w.padding[d] - tap.at[d] * w.dilation[d];
    if (from < 0 || from % w.stride[d] != 0 || from / w.stride[d] >= w.outputs[d]) return -1;
    position = position * w.outputs[d] + from / w.stride[d];
  }
  return position;
}

// i divided: by multiplication where it is narrow.
template <bool kNarrow>
SY_FN long long DividedBy(long long i, long long n, const Divider& divider) {
  if constexpr (kNarrow) {
    return Quotient(static_cast<unsigned>(i), divider);
  } else {
    return i / n;
  }
}
// What the number of an element of the columns stands for.
template <bool kNarrow>
struct Column {
  Three output, tap;
  long long rest;   // which of those between outputs and taps
  long long plane;  // what is outside of taps

  // i: of [planes, taps, between, outputs].
  template <class Args>
  SY_FN Column(long long i, const Args& args, long long between) {
    const Windows& w = args.w;
    const ColumnDividers& by = args.dividers;
    const long long row = DividedBy<kNarrow>(i, CountOf(w.outputs), by.outputs);
    output = Of(i - row * CountOf(w.outputs), w.outputs, by.output_columns, by.output_rows);
    long long at = row;
    rest = 0;
    if (between != 1) {
      at = DividedBy<kNarrow>(row, between, by.samples);
      rest = row - at * between;
    }
    plane = DividedBy<kNarrow>(at, CountOf(w.kernel), by.taps);
    tap = Of(at - plane * CountOf(w.kernel), w.kernel, by.kernel_columns, by.kernel_rows);
  }

 private:
  SY_FN static Three Of(long long i, const long long (&sizes)[3], const Divider& columns,
                        const Divider& rows) {
    Three at;
    const long long line = DividedBy<kNarrow>(i, sizes[2], columns);
    at.at[2] = i - line * sizes[2];
    at.at[0] = DividedBy<kNarrow>(line, sizes[1], rows);
    at.at[1] = line - at.at[0] * sizes[1];
    return at;
  }
};

// T: what is moved.
template <class T, bool kNarrow>
SY_FN void ToColumns(const ColumnArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.planes * CountOf(args.w.kernel) * CountOf(args.w.outputs)) return;
  const Column<kNarrow> column(i, args, 1);
  const long long at = ImageAt(args.w, column.output, column.tap);
  T x{};
  if (at >= 0) x = static_cast<const T*>(args.image)[column.plane * CountOf(args.w.inputs) + at];
  static_cast<T*>(args.columns)[i] = x;
}

// Of all samples side by side.
template <class T, bool kNarrow>
SY_FN void ToBatchColumns(const BatchColumnArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.channels * CountOf(args.w.kernel) * args.samples * CountOf(args.w.outputs)) return;
  const Column<kNarrow> column(i, args, args.samples);
  const long long plane = column.rest * args.channels + column.plane;
  const long long at = ImageAt(args.w, column.output, column.tap);
  T x{};
  if (at >= 0) x = static_cast<const T*>(args.image)[plane * CountOf(args.w.inputs) + at];
  static_cast<T*>(args.columns)[i] = x;
}

template <class T>
SY_FN auto ZeroOf() {
  return Lift(Convert<T>(0.0f));
}
template <class T>
SY_FN auto BiasOf(const ConvolutionArgs& args, long long channel) {
  return args.bias == nullptr ? ZeroOf<T>() : Lift(static_cast<const T*>(args.bias)[channel]);
}

// Without columns: what pays for depthwise and small ones.
template <class T>
SY_FN void Convolve(const ConvolutionArgs& args) {
  const long long i = ThreadIndex(), outputs = CountOf(args.w.outputs),
                  taps = CountOf(args.w.kernel), inputs = CountOf(args.w.inputs);
  const long long channels = args.groups * args.out;
  if (i >= args.samples * channels * outputs) return;
  const Three output(i % outputs, args.w.outputs);
  const long long channel = i / outputs % channels, sample = i / outputs / channels;
  const T* x = static_cast<const T*>(args.x) +
               (sample * args.groups + channel / args.out) * args.in * inputs;
  const T* weight = static_cast<const T*>(args.weight) + channel * args.in * taps;
  auto sum = ZeroOf<T>();
  for (long long t = 0; t < taps; ++t) {
    const long long at = ImageAt(args.w, output, Three(t, args.w.kernel));
    if (at < 0) continue;
    for (long long c = 0; c < args.in; ++c)
      sum = MultiplyAdd(Lift(x[c * inputs + at]), Lift(weight[c * taps + t]), sum);
  }
  static_cast<T*>(args.y)[i] = Lower<T>(sum + BiasOf<T>(args, channel));
}

// What is added up, rounded to T where kRounds.
template <class T, int kRounds, class V>
SY_FN V Rounded(V x) {
  if constexpr (kRounds != 0) return Lift(Lower<T>(x));
  return x;
}
// Transposed: each element of y adds up what the taps make of x, in their order.
template <class T, int kRounds>
SY_FN void ConvolveTransposed(const ConvolutionArgs& args) {
  const long long i = ThreadIndex(), outputs = CountOf(args.w.outputs),
                  taps = CountOf(args.w.kernel), inputs = CountOf(args.w.inputs);
  const long long channels = args.groups * args.in;  // of y, over which windows slide
  if (i >= args.samples * channels * inputs) return;
  const Three image(i % inputs, args.w.inputs);
  const long long plane = i / inputs, channel = plane % channels, group = channel / args.in;
  const T* x =
      static_cast<const T*>(args.x) + (plane / channels * args.groups + group) * args.out * outputs;
  const T* weight =
      static_cast<const T*>(args.weight) + (group * args.out * args.in + channel % args.in) * taps;
  auto sum = ZeroOf<T>();
  for (long long t = 0; t < taps; ++t) {
    const long long at = OutputAt(args.w, image, Three(t, args.w.kernel));
    if (at < 0) continue;
    auto column = ZeroOf<T>();
    if (args.columns != nullptr) {
      column = Lift(static_cast<const T*>(args.columns)[(plane * taps + t) * outputs + at]);
    } else {
      for (long long c = 0; c < args.out; ++c)
        column =
            MultiplyAdd(Lift(x[c * outputs + at]), Lift(weight[c * args.in * taps + t]), column);
    }
    sum = Rounded<T, kRounds>(sum + Rounded<T, kRounds>(column));
  }
  static_cast<T*>(args.y)[i] = Lower<T>(sum + BiasOf<T>(args, channel));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_COLUMNS_H_
