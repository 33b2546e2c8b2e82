// Where elements of a padded or resampled tensor come from, one dimension by itself: the products
// of the weights along each are those of an element.
//
//   ForEachTap<float>(axis, o, [&](long long i, float w) { sum += w * in[i]; });
//
// Positions are found in the type that is computed in, as ATen's are. Hosts and devices compile
// this header.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_RESAMPLE_H_
#define SWITCHYARD_OPS_FORMULAS_RESAMPLE_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// A border of elements from within: mirrored without the outermost, or the outermost.
struct PadAxis {
  long long inputs, outputs;  // elements along the dimension, without and with the border
  long long left;             // width before the first; below 0: so many are left out
  bool mirrored;              // else the outermost element is repeated
};

// The input that an output is.
//   inputs 4, left 2   outputs:  0 1 2 3 4 5 6 7
//   mirrored                     2 1 0 1 2 3 2 1
//   repeated                     0 0 0 1 2 3 3 3
SY_FN long long PadSource(const PadAxis& a, long long output) {
  const long long i = output - a.left, last = a.inputs - 1;
  if (i < 0) return a.mirrored ? -i : 0;
  if (i > last) return a.mirrored ? 2 * last - i : last;
  return i;
}
// f(output) for each that is given the input, in ascending order.
template <class F>
SY_FN void ForEachPadded(const PadAxis& a, long long input, F f) {
  const long long last = a.inputs - 1, own = input + a.left;
  if (a.mirrored) {
    const auto within = [&](long long o) {
      if (o >= 0 && o < a.outputs) f(o);
    };
    if (input > 0) within(a.left - input);
    within(own);
    if (input < last) within(a.left + 2 * last - input);
    return;
  }
  long long begin = input == 0 || own < 0 ? 0 : own, end = input == last ? a.outputs : own + 1;
  if (end > a.outputs) end = a.outputs;
  for (long long o = begin; o < end; ++o) f(o);
}

// How inputs make an output: one of them, which is nearest; by weights that fall linearly over one
// step, or as a cubic over two; area: by such weights over as many inputs as an output covers.
enum ResampleMode { kNearest, kNearestExact, kLinear, kCubic, kLinearArea, kCubicArea };

// Area: filters widen with the step, so that what is made smaller shows every element.
struct ResampleAxis {
  long long inputs, outputs;
  double scale;        // outputs to inputs as the caller has it; not above 0: that of the sizes
  int mode;            // a ResampleMode
  int most;            // taps of an output at most
  bool align_corners;  // the outermost elements' centres fall together, else their outer edges
  bool copied;         // outputs are the inputs, whatever the scale
  bool rough;          // nearest: float decides, in whatever type is computed
  int digits;          // weights have so many binary ones; 0: all of their type's
};

// From one output to the next, in inputs.
template <class R>
SY_FN R ResampleStep(const ResampleAxis& a) {
  if (a.align_corners) return a.outputs > 1 ? R(a.inputs - 1) / R(a.outputs - 1) : R(0);
  return a.scale > 0 ? R(1.0 / a.scale) : R(a.inputs) / R(a.outputs);
}
// The whole number below x, at most `last`; x: -1 or more.
template <class R>
SY_FN long long WholeBelow(R x, long long last) {
  if (!(x < R(last))) return last;
  return x < R(0) ? -1 : static_cast<long long>(x);
}
// kNearest: the input whose place the output's edge falls into; kNearestExact: its centre.
template <class R>
SY_FN long long NearestSource(const ResampleAxis& a, long long output) {
  if (a.copied) return output;
  const R shift = a.mode == kNearestExact ? R(0.5) : R(0);
  const float at = a.rough ? ResampleStep<float>(a) * (float(output) + float(shift))
                           : static_cast<float>(ResampleStep<R>(a) * (R(output) + shift));
  return WholeBelow(at, a.inputs - 1);
}

// To `digits` binary digits, to an even last one between two; for weights.
SY_FN float RoundedTo(float x, int digits) {
  const float size = x < 0 ? -x : x;
  float power = 1;
  while (power > size && power > 0x1p-14f) power *= 0.5f;  // float16 has no smaller normal ones
  while (2 * power <= size) power *= 2;
  const float unit = 2 * power / static_cast<float>(1 << digits);
  const float shift = 12582912;  // 1.5 2^23: adding it rounds to an integer
  return (x / unit + shift - shift) * unit;
}
template <class R>
SY_FN R RoundedWeight(const ResampleAxis& a, R weight) {
  return a.digits == 0 ? weight : R(RoundedTo(static_cast<float>(weight), a.digits));
}

// The cubic convolution's weight at a distance (R. G. Keys, 1981), a: its slope at 1.
template <class R>
SY_FN R CubicNear(R x, R a) {
  return ((a + R(2)) * x - (a + R(3))) * x * x + R(1);
}
template <class R>
SY_FN R CubicFar(R x, R a) {
  return ((a * x - R(5) * a) * x + R(8) * a) * x - R(4) * a;
}
// The filter of an area mode at x, in steps from its centre; its cubic has the slope -1/2.
template <class R>
SY_FN R AreaWeight(int mode, R x) {
  if (x < R(0)) x = -x;
  if (mode == kLinearArea) return x < R(1) ? R(1) - x : R(0);
  return x < R(1) ? CubicNear(x, R(-0.5)) : x < R(2) ? CubicFar(x, R(-0.5)) : R(0);
}
// How far the filter reaches from its centre.
template <class R>
SY_FN R AreaReach(const ResampleAxis& a, R step) {
  const R reach = a.mode == kLinearArea ? R(1) : R(2);
  return step >= R(1) ? reach * step : reach;
}
// Weights are divided by their sum, as those at the edges would not add up to 1.
template <class R, class F>
SY_FN void ForEachAreaTap(const ResampleAxis& a, long long output, F f) {
  const R step = ResampleStep<R>(a), reach = AreaReach(a, step);
  const R narrowed = step >= R(1) ? R(1) / step : R(1);
  const R centre = step * (R(output) + R(0.5));
  const R low = centre - reach + R(0.5), high = centre + reach + R(0.5);
  const long long first = low > R(0) ? WholeBelow(low, a.inputs) : 0;
  const long long end = WholeBelow(high, a.inputs);
  const auto weight = [&](long long i) {
    return AreaWeight(a.mode, (R(i) - centre + R(0.5)) * narrowed);
  };
  R total(0);
  for (long long i = first; i < end; ++i) total += weight(i);
  const R by = total != R(0) ? total : R(1);
  for (long long i = first; i < end; ++i) f(i, weight(i) / by);
}

// f(input, weight), inputs in ascending order, some twice.
template <class R, class F>
SY_FN void ForEachTap(const ResampleAxis& a, long long output, F f) {
  if (a.copied) return f(output, R(1));
  if (a.mode <= kNearestExact) return f(NearestSource<R>(a, output), R(1));
  if (a.mode >= kLinearArea) return ForEachAreaTap<R>(a, output, f);
  const long long last = a.inputs - 1;
  const R step = ResampleStep<R>(a);
  R at = a.align_corners ? step * R(output) : step * (R(output) + R(0.5)) - R(0.5);
  if (a.mode == kLinear && at < R(0)) at = R(0);
  const long long first = WholeBelow(at, last);
  R t = at - R(first);
  t = t > R(1) ? R(1) : t > R(0) ? t : R(0);
  if (a.mode == kLinear) {
    t = RoundedWeight(a, t);
    f(first, RoundedWeight(a, R(1) - t));
    return f(first < last ? first + 1 : first, t);
  }
  const R slope(-0.75);
  const auto inside = [&](long long i) { return i < 0 ? 0 : i > last ? last : i; };
  f(inside(first - 1), RoundedWeight(a, CubicFar(t + R(1), slope)));
  f(inside(first), RoundedWeight(a, CubicNear(t, slope)));
  f(inside(first + 1), RoundedWeight(a, CubicNear(R(1) - t, slope)));
  f(inside(first + 2), RoundedWeight(a, CubicFar(R(2) - t, slope)));
}

// The taps of an output as weights of inputs first … end - 1: `most` at most.
template <class R>
SY_FN void FillTaps(const ResampleAxis& a, long long output, long long (&span)[2], R* weights) {
  span[0] = span[1] = a.inputs;  // of none: behind all inputs, so that spans ascend
  ForEachTap<R>(a, output, [&](long long i, R w) {
    if (span[0] == a.inputs) span[0] = span[1] = i;
    if (i == span[1]) {
      weights[i - span[0]] = w;
      ++span[1];
    } else {
      weights[i - span[0]] += w;
    }
  });
}

// 8-bit images are computed in integers: weights in units of 2^-shift.
SY_FN int WholeWeight(double weight, int shift) {
  const double w = weight * (1 << shift);
  return static_cast<int>(w < 0 ? w - 0.5 : w + 0.5);
}
SY_FN int RoundedByte(int sum, int shift) {
  const int x = sum >> shift;
  return x < 0 ? 0 : x > 255 ? 255 : x;
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_RESAMPLE_H_
