// Discrete Fourier transforms of one length, by KISS FFT.
//
//   const Fourier fourier(n, Direction::kForward);
//   Fourier::Room room = fourier.MakeRoom();
//   fourier.Run(x, y, room);   // y_k is the sum of x_i exp(-2 pi j i k / n)
//
// j is the imaginary unit; kBackward: of x_i exp(2 pi j i k / n). In double, whatever the numbers
// come from: what cancels in float32 leaves too little.
//
// A prime factor p of the length costs the library n p multiplications, beside n log n of small
// ones. Lengths where that is too much go through a convolution of a length that is a power of 2
// (Bluestein).
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 4.2.3.
//
// Owns: tables of O(n) numbers. Threads: any number, each with a room of its own.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_

#include <complex>
#include <cstdint>
#include <kissfft/kissfft.hh>
#include <optional>
#include <vector>

namespace sy::cpu {

enum class Direction { kForward, kBackward };

class Fourier {
 public:
  using C = std::complex<double>;
  // What a thread works with.
  struct Room {
    std::optional<kissfft<double>> own;  // where the library's object serves one thread at a time
    std::vector<C> padded, sums;         // of the convolution
  };

  Fourier(int64_t n, Direction direction);  // n >= 1
  // Whether transforms of n elements are the library's alone.
  static bool IsDirect(int64_t n);
  Room MakeRoom() const;
  // x, y: n elements, apart.
  void Run(const C* x, C* y, Room& room) const;
  // Of 2 n real numbers x, the first n elements; y[0] = {the first, the one in the middle}.
  // Forward, of direct lengths.
  void RunReal(const double* x, C* y, Room& room) const { Library(room).transform_real(x, y); }

 private:
  const kissfft<double>& Library(const Room& room) const { return room.own ? *room.own : library_; }

  int64_t n_;
  std::vector<C> chirp_;     // exp(∓ pi j k^2 / n); empty: direct
  kissfft<double> library_;  // of n, or the convolution's length
  std::vector<C>
      response_;  // of the convolution: the transform of the chirp's inverse, over length
};

// The first n / 2 + 1 elements of the forward transforms of n real numbers.
class RealFourier {
 public:
  using C = Fourier::C;
  struct Room {
    Fourier::Room room;
    std::vector<C> wide, sums;  // where there is no transform of half as many complex numbers
  };

  explicit RealFourier(int64_t n);  // n >= 1
  Room MakeRoom() const;
  // x: n elements; y: n / 2 + 1.
  void Run(const double* x, C* y, Room& room) const;

 private:
  int64_t n_;
  bool halved_;
  Fourier fourier_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_FOURIER_H_
