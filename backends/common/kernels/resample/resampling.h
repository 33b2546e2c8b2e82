// How images are brought to other sizes, each dimension by itself (ops/formulas/resample.h).
//
//   const Resampling plan(images, f::kLinear, {.align_corners = true, …}, scales);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_RESAMPLING_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_RESAMPLING_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "switchyard/backends/common/kernels/resample/images.h"
#include "switchyard/core/optional.h"
#include "switchyard/ops/formulas/resample.h"

namespace sy {

struct Resampling {
  int64_t planes, inner;
  f::ResampleAxis axis[3];

  struct Kind {
    int mode;
    bool align_corners, backward;
    DType dtype;
  };
  // scales: of the images' own dimensions.
  Resampling(const Images& images, Kind kind, const Optional<double>* scales)
      : planes(images.planes), inner(images.inner) {
    bool same = true;
    for (int d = 0; d < 3; ++d) same &= images.inputs[d] == images.outputs[d];
    for (int d = 0; d < 3; ++d) {
      const int own = d - (3 - images.dims);
      f::ResampleAxis& a = axis[d];
      a = {images.inputs[d],
           images.outputs[d],
           own < 0 ? 0.0 : scales[own].value_or(0.0),
           own < 0 ? int{f::kNearest} : kind.mode,
           1,
           kind.align_corners,
           own < 0 || Copied(kind, images, images.inputs[d] == images.outputs[d], same),
           false,
           DigitsOf(kind, images)};
      if (a.mode == f::kNearest || a.mode == f::kNearestExact) {
        a.align_corners = false;
        a.rough = Shortened(kind, images);
        // Exactly a half: the caller's factor does not count.
        if (a.rough && a.mode == f::kNearest && a.outputs == 2 * a.inputs) a.scale = 2;
      }
      if (!a.copied) a.most = MostTaps(a);
    }
  }

 private:
  // What ATen has loops of its own for: they compute weights in float, whatever they weigh.
  static bool Special(const Images& images) {
    const bool channels = images.channels_last && images.inner > 3;
    return images.dims == 3
               ? channels
               : images.dims == 2 && (channels || images.outputs[1] + images.outputs[2] <= 128);
  }
  // Where ATen decides by float and takes short cuts.
  static bool Shortened(const Kind& kind, const Images& images) {
    return kind.backward || Special(images);
  }
  // ATen's other loops have weights of 16-bit elements' own type.
  static int DigitsOf(const Kind& kind, const Images& images) {
    if (kind.backward || (kind.mode == f::kLinear && Special(images))) return 0;
    return kind.dtype == DType::kFloat16 ? 11 : kind.dtype == DType::kBFloat16 ? 8 : 0;
  }
  // Where ATen copies dimensions whose sizes are the same, even if the caller's scale is not 1.
  static bool Copied(const Kind& kind, const Images& images, bool same_size, bool all_same) {
    switch (kind.mode) {
      case f::kNearest:
        return same_size && Shortened(kind, images);
      case f::kNearestExact:
        return false;
      case f::kLinear:
        return same_size;
      case f::kCubic:
        return kind.dtype == DType::kUInt8 ? same_size : kind.backward && all_same;
      default:
        return same_size && !kind.backward;
    }
  }
  static int MostTaps(const f::ResampleAxis& a) {
    if (a.mode < f::kLinear) return 1;
    if (a.mode < f::kLinearArea) return a.mode == f::kLinear ? 2 : 4;
    const double reach = std::ceil(f::AreaReach(a, f::ResampleStep<double>(a))) + 1;
    return static_cast<int>(std::min(2 * reach + 1, static_cast<double>(a.inputs)));
  }
};

// The taps of every output along one dimension, in host memory.
template <class R>
struct Taps {
  int64_t inputs, outputs, most;
  std::vector<long long> spans;  // first and end, in pairs
  std::vector<R> weights;        // `most` an output

  explicit Taps(const f::ResampleAxis& a)
      : inputs(a.inputs),
        outputs(a.outputs),
        most(a.most),
        spans(static_cast<size_t>(2 * outputs)),
        weights(static_cast<size_t>(outputs * most)) {
    for (int64_t o = 0; o < outputs; ++o) {
      long long span[2];
      f::FillTaps(a, o, span, &weights[static_cast<size_t>(o * most)]);
      std::copy_n(span, 2, &spans[static_cast<size_t>(2 * o)]);
    }
  }
  explicit Taps(const f::PadAxis& a)
      : inputs(a.inputs),
        outputs(a.outputs),
        most(1),
        spans(static_cast<size_t>(2 * outputs)),
        weights(static_cast<size_t>(outputs), R(1)) {
    for (int64_t o = 0; o < outputs; ++o) {
      const auto i = static_cast<size_t>(2 * o);
      spans[i] = f::PadSource(a, o);
      spans[i + 1] = spans[i] + 1;
    }
  }
  int64_t begin(int64_t o) const { return spans[static_cast<size_t>(2 * o)]; }
  int64_t end(int64_t o) const { return spans[static_cast<size_t>(2 * o + 1)]; }
  const R* weight(int64_t o) const { return &weights[static_cast<size_t>(o * most)]; }
};

// The shift with which all weights fit 16 bits. Source: ATen's and Pillow's 8-bit resampling.
inline int ShiftOf(const Taps<double>& taps) {
  const double most = *std::max_element(taps.weights.begin(), taps.weights.end());
  int shift = 0;
  while (shift < 22 && f::WholeWeight(most, shift + 1) < 1 << 15) ++shift;
  return shift;
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_RESAMPLING_H_
