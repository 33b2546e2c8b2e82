// The transform of one line of any length, as a circular convolution with a chirp (Bluestein),
// whose length has small factors.
//
//   const Convolution<float> transform(1009);
//   transform.Run(x, y, room, {scale, exchange}, threads);
//
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 4.2.3.
// Owns: its tables. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_CONVOLUTION_H_

#include "backends/cpu/fourier/split.h"

namespace sy::cpu::SY_ISA {

template <class T>
class Convolution {
 public:
  static constexpr int64_t kLanes = kLanesOf<T>;

  explicit Convolution(int64_t n)
      : n_(n),
        length_(FourierConvolutionLength(n, kLanes)),
        chirp_(Blocks(n)),
        response_(Blocks(length_)),
        split_(FourierRows(length_, kLanes), length_ / FourierRows(length_, kLanes)) {
    // k i = (k^2 + i^2 - (k - i)^2) / 2; k^2 modulo 2 n, by what it grows by: it would not fit.
    Array<double> response(2 * length_), sums(2 * length_);
    for (int64_t i = 0; i < 2 * length_; ++i) response[i] = 0;
    const double scale = 1 / static_cast<double>(length_);
    T* const chirp = Parts(chirp_);
    for (int64_t i = 2 * n; i < 2 * kLanes * Blocks(n); ++i) chirp[i] = 0;
    for (int64_t k = 0, square = 0; k < n; ++k) {
      const FourierRoot root = FourierRootOf(square, 2 * n);
      chirp[2 * k] = static_cast<T>(root.re);
      chirp[2 * k + 1] = static_cast<T>(root.im);
      const int64_t opposite = (length_ - k) % length_;
      response[2 * k] = response[2 * opposite] = scale * root.re;
      response[2 * k + 1] = response[2 * opposite + 1] = -scale * root.im;
      square = (square + 2 * k + 1) % (2 * n);
    }
    const int64_t rows = FourierRows(length_, kLanesOf<double>);
    const Split<double> split(rows, length_ / rows);
    Array<Cx<double>> room(split.room(1));
    split.Run(response.begin(), sums.begin(), room.begin(), {}, {1, nullptr});
    for (int64_t i = 0; i < 2 * length_; ++i) Parts(response_)[i] = static_cast<T>(sums[i]);
  }
  int64_t bytes() const { return chirp_.bytes() + response_.bytes() + split_.bytes(); }
  // In numbers of kLanes lines.
  int64_t room(int threads) const { return Blocks(length_) + split_.room(threads); }

  // x and y may be the same.
  void Run(const T* x, T* y, Cx<T>* room, Around<T> around, const FourierThreads& threads) const {
    T* const a = reinterpret_cast<T*>(room);
    Cx<T>* const more = room + Blocks(length_);
    const T *const chirp = Parts(chirp_), *const response = Parts(response_);
    for (int64_t i = 0; i < n_; i += kLanes) {
      const Cx<T> given = Exchanged(LoadTogether(x + 2 * i, n_ - i), around.exchange);
      StoreTogether(a + 2 * i, Times(given, LoadTogether(chirp + 2 * i)), n_ - i);
    }
    for (int64_t i = 2 * n_; i < 2 * length_; ++i) a[i] = 0;
    split_.Run(a, a, more, {}, threads);
    // Conjugated, so that the next transform is the inverse.
    for (int64_t i = 0; i < length_; i += kLanes) {
      const Cx<T> sum = LoadTogether(a + 2 * i);
      StoreTogether(a + 2 * i, Conj(Times(sum, LoadTogether(response + 2 * i))));
    }
    split_.Run(a, a, more, {}, threads);
    for (int64_t i = 0; i < n_; i += kLanes) {
      const Cx<T> sum = Times(Conj(LoadTogether(a + 2 * i)), LoadTogether(chirp + 2 * i));
      StoreTogether(y + 2 * i, Scaled(Exchanged(sum, around.exchange), around.scale), n_ - i);
    }
  }

 private:
  static int64_t Blocks(int64_t n) { return (n + kLanes - 1) / kLanes; }
  static T* Parts(const Array<Cx<T>>& numbers) { return reinterpret_cast<T*>(numbers.begin()); }

  const int64_t n_, length_;
  Array<Cx<T>> chirp_, response_;  // exp(-pi j k^2 / n); the transform of its inverse
  const Split<T> split_;
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_CONVOLUTION_H_
