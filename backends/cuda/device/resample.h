// Padding and resampling of images, and what they pass back: a thread for each element that is
// written, which adds up all that it is made of, so that results are the same at every run. Halves
// are added in float, but for borders' gradients. Taps come from a launch of their own.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/backends/cuda/device/resample_args.h"

namespace sy::cuda {

// An element of [planes, a, b, c, inner].
struct ImagePlace {
  long long plane, at[3], c;

  SY_FN ImagePlace(long long i, const long long (&sizes)[3], long long inner) {
    c = i % inner;
    i /= inner;
#pragma unroll
    for (int d = 2; d >= 0; --d) {
      at[d] = i % sizes[d];
      i /= sizes[d];
    }
    plane = i;
  }
};
SY_FN long long ElementAt(long long plane, long long z, long long y, long long x, long long c,
                          const long long (&sizes)[3], long long inner) {
  return (((plane * sizes[0] + z) * sizes[1] + y) * sizes[2] + x) * inner + c;
}
// Sizes of three dimensions.
struct Sizes3 {
  long long inputs[3], outputs[3];

  template <class Axis>
  explicit SY_FN Sizes3(const Axis (&axis)[3]) {
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      inputs[d] = axis[d].inputs;
      outputs[d] = axis[d].outputs;
    }
  }
  static SY_FN long long Count(const long long (&sizes)[3]) {
    return sizes[0] * sizes[1] * sizes[2];
  }
};

template <class T>
SY_FN void PadImage(const PadArgs& args) {
  const long long i = ThreadIndex();
  const Sizes3 n(args.axis);
  if (i >= args.planes * args.inner * Sizes3::Count(n.outputs)) return;
  const ImagePlace p(i, n.outputs, args.inner);
  const long long from =
      ElementAt(p.plane, f::PadSource(args.axis[0], p.at[0]), f::PadSource(args.axis[1], p.at[1]),
                f::PadSource(args.axis[2], p.at[2]), p.c, n.inputs, args.inner);
  static_cast<T*>(args.out)[i] = static_cast<const T*>(args.in)[from];
}

template <class T>
SY_FN void PadImageBackward(const PadArgs& args) {
  const long long i = ThreadIndex();
  const Sizes3 n(args.axis);
  if (i >= args.planes * args.inner * Sizes3::Count(n.inputs)) return;
  const ImagePlace p(i, n.inputs, args.inner);
  const T* in = static_cast<const T*>(args.in);
  decltype(Lift(T()).v) sum = 0;
  f::ForEachPadded(args.axis[0], p.at[0], [&](long long z) {
    f::ForEachPadded(args.axis[1], p.at[1], [&](long long y) {
      f::ForEachPadded(args.axis[2], p.at[2], [&](long long x) {
        sum += Lift(in[ElementAt(p.plane, z, y, x, p.c, n.outputs, args.inner)]).v;
        sum = Lift(Convert<T>(sum)).v;  // halves round at every step, as ATen's do
      });
    });
  });
  static_cast<T*>(args.out)[i] = Convert<T>(sum);
}

// The nearest element, in whatever type that is found in: R.
template <class T, class R>
SY_FN void NearestImage(const ResampleArgs& args) {
  const long long i = ThreadIndex();
  const auto& axis = args.taps.axis;
  const Sizes3 n(axis);
  if (i >= args.planes * args.inner * Sizes3::Count(n.outputs)) return;
  const ImagePlace p(i, n.outputs, args.inner);
  const long long from = ElementAt(
      p.plane, f::NearestSource<R>(axis[0], p.at[0]), f::NearestSource<R>(axis[1], p.at[1]),
      f::NearestSource<R>(axis[2], p.at[2]), p.c, n.inputs, args.inner);
  static_cast<T*>(args.out)[i] = static_cast<const T*>(args.in)[from];
}

// A thread for each output of each dimension.
template <class R>
SY_FN void FillTapsOf(const TapArgs& args) {
  long long o = ThreadIndex();
  for (int d = 0; d < 3; ++d) {
    const f::ResampleAxis& a = args.axis[d];
    if (o < a.outputs) {
      long long span[2];
      f::FillTaps(a, o, span, static_cast<R*>(args.weights[d]) + o * a.most);
      args.spans[d][2 * o] = span[0];
      args.spans[d][2 * o + 1] = span[1];
      return;
    }
    o -= a.outputs;
  }
}

// f(input, weight) for the taps of an output.
template <class R, class F>
SY_FN void ForEachOf(const TapArgs& taps, int d, long long output, F f) {
  const long long begin = taps.spans[d][2 * output], end = taps.spans[d][2 * output + 1];
  const R* w = static_cast<const R*>(taps.weights[d]) + output * taps.axis[d].most;
  for (long long i = begin; i < end; ++i) f(i, w[i - begin]);
}
// f(output, weight) for the outputs that an input is a tap of: they follow one another.
template <class R, class F>
SY_FN void ForEachUse(const TapArgs& taps, int d, long long input, F f) {
  const long long *spans = taps.spans[d], outputs = taps.axis[d].outputs;
  long long low = 0, high = outputs;  // the first whose end is behind the input
  while (low < high) {
    const long long middle = (low + high) / 2;
    if (spans[2 * middle + 1] > input) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const R* w = static_cast<const R*>(taps.weights[d]);
  for (long long o = low; o < outputs && spans[2 * o] <= input; ++o)
    f(o, w[o * taps.axis[d].most + input - spans[2 * o]]);
}

// f(position, weight) for what `at` is made of: an output of its taps, or, backward, an input's
// gradient of those of the outputs that use it.
template <bool kBackward, class R, class F>
SY_FN void ForEachPart(const TapArgs& taps, int d, long long at, F f) {
  if constexpr (kBackward) {
    ForEachUse<R>(taps, d, at, f);
  } else {
    ForEachOf<R>(taps, d, at, f);
  }
}
template <class T, class R, bool kBackward>
SY_FN void SumOfParts(const ResampleArgs& args) {
  const long long i = ThreadIndex();
  const Sizes3 n(args.taps.axis);
  const auto& written = kBackward ? n.inputs : n.outputs;
  const auto& read = kBackward ? n.outputs : n.inputs;
  if (i >= args.planes * args.inner * Sizes3::Count(written)) return;
  const ImagePlace p(i, written, args.inner);
  const T* in = static_cast<const T*>(args.in);
  R sum(0);
  ForEachPart<kBackward, R>(args.taps, 0, p.at[0], [&](long long z, R wz) {
    ForEachPart<kBackward, R>(args.taps, 1, p.at[1], [&](long long y, R wy) {
      R row(0);
      ForEachPart<kBackward, R>(args.taps, 2, p.at[2], [&](long long x, R wx) {
        row += wx * R(Lift(in[ElementAt(p.plane, z, y, x, p.c, read, args.inner)]).v);
      });
      sum += wz * wy * row;
    });
  });
  static_cast<T*>(args.out)[i] = Convert<T>(sum);
}
template <class T, class R>
SY_FN void ResampleImage(const ResampleArgs& args) {
  SumOfParts<T, R, false>(args);
}
template <class T, class R>
SY_FN void ResampleImageBackward(const ResampleArgs& args) {
  SumOfParts<T, R, true>(args);
}

// 8-bit images, in integers: along rows first, then across them, rounded each time.
template <class T>
SY_FN void ResampleByteImage(const ResampleArgs& args) {
  const long long i = ThreadIndex();
  const Sizes3 n(args.taps.axis);
  if (i >= args.planes * args.inner * Sizes3::Count(n.outputs)) return;
  const ImagePlace p(i, n.outputs, args.inner);
  const T* in = static_cast<const T*>(args.in);
  const int across = args.shifts[0], along = args.shifts[1];
  int sum = 1 << (across - 1);
  ForEachOf<double>(args.taps, 1, p.at[1], [&](long long y, double wy) {
    int row = 1 << (along - 1);
    ForEachOf<double>(args.taps, 2, p.at[2], [&](long long x, double wx) {
      row += f::WholeWeight(wx, along) * in[ElementAt(p.plane, 0, y, x, p.c, n.inputs, args.inner)];
    });
    sum += f::WholeWeight(wy, across) * f::RoundedByte(row, along);
  });
  static_cast<T*>(args.out)[i] = static_cast<T>(f::RoundedByte(sum, across));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_H_
