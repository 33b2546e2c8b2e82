// Discrete Fourier transforms of one length, by KISS FFT.
//
//   Fourier& fourier = FourierFor(FourierKind::kForward, n, lines);
//   fourier.Run(x, y, room, scale);
//
// y_k is `scale` times the sum of x_i exp(-2 pi j i k / n); j is the imaginary unit, kBackward: of
// x_i exp(2 pi j i k / n). Several lines are transformed side by side, as many as a register of the
// processor holds, or one. In double, whatever the numbers come from: what cancels in float32
// leaves too little.
//
// A prime factor p of the length costs the library n p multiplications, beside n log n of small
// ones. Lengths where that is too much go through a convolution (Bluestein).
//
// Owns: tables. Threads: an object serves one; FourierFor keeps objects for each thread.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_

#include <cstdint>

#include "switchyard/backends/cpu/simd/isas.h"

namespace sy::cpu {

enum class FourierKind {
  kForward,
  kBackward,
  kFromReal,  // forward, of real numbers: the first n / 2 + 1 sums
  kToReal,    // backward, of n / 2 + 1 numbers whose other half is their conjugate
};

class Fourier {
 public:
  virtual ~Fourier();
  int64_t side = 1;                   // lines
  virtual int64_t bytes() const = 0;  // of tables, about
  virtual int64_t room() const = 0;   // doubles
  // x, y: element i of line l at [i * side + l], each a complex128, of kFromReal's x and kToReal's
  // y a float64; n elements, n / 2 + 1 where half is enough, which both of kToReal have room for.
  // x is lost. All begin where a register may (kRegisterDoubles), apart.
  virtual void Run(double* x, double* y, double* room, double scale) = 0;
};

// This thread's; valid until its next call. n >= 1; lines: how many there are to transform.
Fourier& FourierFor(FourierKind kind, int64_t n, int64_t lines);

inline constexpr int64_t kRegisterDoubles = 8;  // of the widest

// --- For lanes.cc
// Whether the library is quick for n.
bool IsDirect(int64_t n);
// The divisor of n to split a line by; 0: none.
int64_t RowsOfSplit(int64_t n);
// Of a circular convolution in which the ends of n elements do not meet, and the library is quick.
int64_t ConvolutionLength(int64_t n);

struct FourierOfIsa {
  int64_t side;
  Fourier* (*make)(FourierKind kind, int64_t n, bool one_line);  // the caller's
};
SY_IN_EACH_ISA(extern const FourierOfIsa fourier)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_
