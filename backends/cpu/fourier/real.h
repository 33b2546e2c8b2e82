// Transforms of an even number of real numbers by one of half as many complex ones: even ones as
// real parts, odd ones as imaginary ones.
//
//   const Halves<float> halves(n);
//   halves.Split(z, y);             // z: the transform of n / 2, y: the first n / 2 + 1 sums
//   halves.Join(x, z);              // the other way, before the backward transform of n / 2
//
// With E and O the transforms of the even and the odd ones, z_k = E_k + j O_k and
// y_k = E_k + exp(-2 pi j k / n) O_k. Numbers are of lines side by side, or one after the other.
// Owns: its table. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_REAL_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_REAL_H_

#include "backends/cpu/fourier/passes.h"

namespace sy::cpu::SY_ISA {

template <class T>
class Halves {
 public:
  static constexpr int kLanes = kLanesOf<T>;

  explicit Halves(int64_t n) : half_(n / 2), roots_((half_ / 2 + kLanes) / kLanes + 1) {
    for (int64_t k = 0; k < roots_.size() * kLanes; ++k) {
      const Root<T> root = RootOf<T>(k, n);
      roots_[k / kLanes].re[k % kLanes] = root.re;
      roots_[k / kLanes].im[k % kLanes] = root.im;
    }
  }
  int64_t bytes() const { return roots_.bytes(); }

  // Lines side by side. z and y may be the same.
  void Split(const Cx<T>* z, Cx<T>* y) const {
    SplitEnds(z[0], y[0], y[half_]);
    for (int64_t k = 1; 2 * k <= half_; ++k) {
      Pair pair{z[k], z[half_ - k]};
      SplitPair(pair, All(RootAt(k)));
      y[k] = pair.a;
      y[half_ - k] = pair.b;
    }
  }
  void Join(const Cx<T>* x, Cx<T>* z) const {
    z[0] = JoinEnds(x[0], x[half_]);
    for (int64_t k = 1; 2 * k <= half_; ++k) {
      Pair pair{x[k], x[half_ - k]};
      JoinPair(pair, All(RootAt(k)));
      z[k] = pair.a;
      z[half_ - k] = pair.b;
    }
  }
  // The same of one line, parts alternating.
  void Split(const T* z, T* y, T scale) const {
    ForPairs(z, y, scale, [](Pair& pair, Cx<T> root) { SplitPair(pair, root); });
    Cx<T> first, last;
    SplitEnds(LoadTogether(z, 1), first, last);
    StoreTogether(y, Scaled(first, scale), 1);
    StoreTogether(y + 2 * half_, Scaled(last, scale), 1);
  }
  void Join(const T* x, T* z) const {
    const Cx<T> ends = JoinEnds(LoadTogether(x, 1), LoadTogether(x + 2 * half_, 1));
    ForPairs(x, z, 1, [](Pair& pair, Cx<T> root) { JoinPair(pair, root); });
    StoreTogether(z, ends, 1);
  }

 private:
  struct Pair {
    Cx<T> a, b;  // the k-th, and the k-th from the end
  };
  static SY_FN Cx<T> All(Root<T> root) { return {Everywhere(root.re), Everywhere(root.im)}; }
  Root<T> RootAt(int64_t k) const {
    const Cx<T>& block = roots_[k / kLanes];
    return {block.re[k % kLanes], block.im[k % kLanes]};
  }
  static SY_FN void SplitEnds(Cx<T> z, Cx<T>& first, Cx<T>& last) {
    first = {z.re + z.im, Raw<T>{}};
    last = {z.re - z.im, Raw<T>{}};
  }
  // Imaginary parts at the ends belong to no real numbers.
  static SY_FN Cx<T> JoinEnds(Cx<T> first, Cx<T> last) {
    return {first.re + last.re, first.re - last.re};
  }
  static SY_FN void SplitPair(Pair& pair, Cx<T> root) {
    constexpr T kHalf = static_cast<T>(0.5);
    const Cx<T> opposite = Conj(pair.b);
    const Cx<T> even = Scaled(pair.a + opposite, kHalf);
    const Cx<T> odd = Times(Scaled(OverJ(pair.a - opposite), kHalf), root);
    pair = {even + odd, Conj(even - odd)};
  }
  static SY_FN void JoinPair(Pair& pair, Cx<T> root) {
    const Cx<T> opposite = Conj(pair.b);
    const Cx<T> even = pair.a + opposite;
    const Cx<T> odd = TimesJ(Times(pair.a - opposite, Conj(root)));
    pair = {even + odd, Conj(even - odd)};
  }

  // f of numbers 1 … half - 1 from both ends. z is written where x was read, so that they may be
  // the same.
  template <class F>
  SY_FN void ForPairs(const T* x, T* z, T scale, F f) const {
    int64_t k = 1;
    for (; half_ - k - k >= 2 * kLanes; k += kLanes) {
      const int64_t from_end = half_ - k - (kLanes - 1);
      Pair pair{LoadTogether(x + 2 * k), Reversed(LoadTogether(x + 2 * from_end))};
      f(pair, RootsFrom(k));
      StoreTogether(z + 2 * k, Scaled(pair.a, scale));
      StoreTogether(z + 2 * from_end, Reversed(Scaled(pair.b, scale)));
    }
    // Those left over, some of which are both in front and behind. What lies around them is lost.
    const int64_t left = half_ - 2 * k + 1;
    if (left <= 0) return;
    Cx<T> room[4] = {};
    T* const front = reinterpret_cast<T*>(room) + 2 * kLanes;
    T* const behind = front + 2 * (left - kLanes);
    __builtin_memcpy(front, x + 2 * k, static_cast<size_t>(2 * left) * sizeof(T));
    Pair pair{LoadTogether(front), Reversed(LoadTogether(behind))};
    f(pair, RootsFrom(k));
    StoreTogether(behind, Reversed(Scaled(pair.b, scale)));
    StoreTogether(front, Scaled(pair.a, scale));
    __builtin_memcpy(z + 2 * k, front, static_cast<size_t>(2 * left) * sizeof(T));
  }
  // Roots k … k + kLanes - 1, where k is 1 more than a multiple of kLanes.
  SY_FN Cx<T> RootsFrom(int64_t k) const {
    const Cx<T>* const block = roots_.begin() + k / kLanes;
    return {Shuffle<FromSecond>(block[0].re, block[1].re),
            Shuffle<FromSecond>(block[0].im, block[1].im)};
  }
  struct FromSecond {
    static constexpr int At(int i) { return i + 1; }
  };

  const int64_t half_;
  Array<Cx<T>> roots_;  // exp(-2 pi j k / n), kLanes in each
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_REAL_H_
