// Transforms of a few numbers, kept in registers: 2, 4, 8, and odd ones.
//
//   Cx<float> v[8];  Butterfly(v, turns);       // v becomes its forward transform
//
// Source: H. J. Nussbaumer, Fast Fourier Transform and Convolution Algorithms (1982), 5; for odd
// sizes the sums of x_i + x_(p - i) and x_i - x_(p - i) by cosines and sines.
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_BUTTERFLIES_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_BUTTERFLIES_H_

#include "backends/cpu/fourier/numbers.h"

namespace sy::cpu::SY_ISA {

// turns: exp(-2 pi j k / kSize) for k < kSize, for odd ones.
template <class T>
SY_FN void Butterfly(Cx<T> (&v)[2], const Root<T>* /*turns*/) {
  const Cx<T> a = v[0], b = v[1];
  v[0] = a + b;
  v[1] = a - b;
}

template <class T>
SY_FN void Butterfly(Cx<T> (&v)[4], const Root<T>* /*turns*/) {
  const Cx<T> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = OverJ(v[1] - v[3]);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

// Two of 4, of the even ones and of the odd ones, which are turned by eighths.
template <class T>
SY_FN void Butterfly(Cx<T> (&v)[8], const Root<T>* turns) {
  constexpr T kHalf = static_cast<T>(0.70710678118654752440);  // the root of 1 / 2
  Cx<T> even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
  Butterfly(even, turns);
  Butterfly(odd, turns);
  odd[1] = {(odd[1].re + odd[1].im) * kHalf, (odd[1].im - odd[1].re) * kHalf};
  odd[2] = OverJ(odd[2]);
  odd[3] = {(odd[3].im - odd[3].re) * kHalf, (odd[3].re + odd[3].im) * -kHalf};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    v[i] = even[i] + odd[i];
    v[i + 4] = even[i] - odd[i];
  }
}

// Sum and difference of the k-th result and of its opposite, which are turned the other way.
template <class T>
struct Opposites {
  Cx<T> sum, difference;
  SY_FN void Add(Cx<T> even, Cx<T> odd, Root<T> turn) {
    const Raw<T> re = Everywhere(turn.re), im = Everywhere(turn.im);
    sum = {MultiplyAdd(even.re, re, sum.re), MultiplyAdd(even.im, re, sum.im)};
    difference = {MultiplyAdd(odd.re, im, difference.re), MultiplyAdd(odd.im, im, difference.im)};
  }
};

template <class T, int kSize>
SY_FN void Butterfly(Cx<T> (&v)[kSize], const Root<T>* turns) {
  static_assert(kSize % 2 == 1);
  constexpr int kHalf = kSize / 2;
  Cx<T> even[kHalf], odd[kHalf];
  const Cx<T> first = v[0];
#pragma GCC unroll 16
  for (int i = 0; i < kHalf; ++i) {
    even[i] = v[i + 1] + v[kSize - 1 - i];
    odd[i] = v[i + 1] - v[kSize - 1 - i];
    v[0] = v[0] + even[i];
  }
#pragma GCC unroll 16
  for (int k = 1; k <= kHalf; ++k) {
    Opposites<T> both{first, {}};
#pragma GCC unroll 16
    for (int i = 0; i < kHalf; ++i) both.Add(even[i], odd[i], turns[(i + 1) * k % kSize]);
    v[k] = both.sum + TimesJ(both.difference);
    v[kSize - k] = both.sum - TimesJ(both.difference);
  }
}

// Any odd size, up to kLargestOdd; x and y may be the same.
inline constexpr int kLargestOdd = 50;
template <class T>
void OddButterfly(Cx<T>* v, int size, const Root<T>* turns) {
  Cx<T> even[kLargestOdd / 2], odd[kLargestOdd / 2];
  const int half = size / 2;
  const Cx<T> first = v[0];
  for (int i = 0; i < half; ++i) {
    even[i] = v[i + 1] + v[size - 1 - i];
    odd[i] = v[i + 1] - v[size - 1 - i];
    v[0] = v[0] + even[i];
  }
  for (int k = 1; k <= half; ++k) {
    Opposites<T> both{first, {}};
    for (int i = 0, turn = k; i < half; ++i) {
      both.Add(even[i], odd[i], turns[turn]);
      turn = turn + k < size ? turn + k : turn + k - size;
    }
    v[k] = both.sum + TimesJ(both.difference);
    v[size - k] = both.sum - TimesJ(both.difference);
  }
}

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_BUTTERFLIES_H_
