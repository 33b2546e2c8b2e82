// Discrete Fourier transforms of one length, of many sequences at a time.
//
//   const Fourier fourier(n);
//   fourier.Run(x, beside, count);   // x[i * count + j]: element i of sequence j, becomes its sum
//
// In double, whatever the numbers come from: what cancels in float32 leaves too little. y_k is the
// sum of x_i exp(-2 pi i k j / n), j the imaginary unit. Lengths whose prime factors are
// small cost n log n multiplications by passes of one factor each (Stockham's order, which needs no
// reversal of digits); others go through a convolution of a length that is a power of 2
// (Bluestein).
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 1.7 and
// 4.2.3.
//
// Owns: tables of n numbers. Threads: Run may be called from several at a time.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace sy::cpu {

struct Complex {
  double re, im;
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Complex conjugate() const { return {re, -im}; }
};

class Fourier {
 public:
  using C = Complex;
  explicit Fourier(int64_t n);  // n >= 1
  int64_t size() const { return n_; }
  // Numbers that `beside` must have room for.
  int64_t room(int64_t count) const { return (inner_ ? 2 * inner_->n_ : n_) * count; }
  void Run(C* x, C* beside, int64_t count) const;

 private:
  void Bluestein(C* x, C* beside, int64_t count) const;

  int64_t n_;
  std::vector<int64_t> factors_;
  std::vector<C> roots_;             // exp(-2 pi j k / n)
  std::unique_ptr<Fourier> inner_;   // of Bluestein's convolution
  std::vector<C> chirp_, response_;  // exp(-pi j k^2 / n), and the transform of its inverse
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_
