// Discrete Fourier transforms of one length, in float or double.
//
//   const Fourier& fourier = FourierFor({FourierKind::kForward, n, lines, true, false});
//   fourier.Run(x, y, room, scale, threads);        // fourier.side() lines
//
// y_k is `scale` times the sum of x_i exp(-2 pi j i k / n); j is the imaginary unit, kBackward: of
// x_i exp(2 pi j i k / n). Short lines are transformed side by side, as many as a register of the
// processor holds. A long one is split into short ones, in several threads where it is alone.
// Lengths with a large prime factor go through a convolution.
//
// Owns: tables. Threads: a transform serves any number at a time; FourierFor keeps some for each
// thread that asks.
// Errors: std::bad_alloc.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_

#include <stddef.h>
#include <stdint.h>

#include "switchyard/backends/cpu/simd/isas.h"

namespace sy::cpu {

enum class FourierKind {
  kForward,
  kBackward,
  kFromReal,  // forward, of real numbers: the first n / 2 + 1 sums
  kToReal,    // backward, of n / 2 + 1 numbers whose other half is their conjugate
};

// Lines in memory: element i of line l at data[first[l] + i * stride], both counted in elements. An
// element is complex but for kFromReal's x and kToReal's y.
struct FourierLines {
  static constexpr int kMost = 16;  // lanes of the widest register
  void* data;
  int64_t stride;
  int64_t count;
  int64_t first[kMost];
  bool stream = false;  // y's: written around the cache where that can be; the caller has a fence
};

// Who runs fn(context, begin, end) over ranges of 0 … n, and in how many threads: ParallelFor.
struct FourierThreads {
  using RangeFn = void (*)(void* context, int64_t begin, int64_t end);
  int number;
  void (*run)(int64_t n, int64_t grain, RangeFn fn, void* context);
};

class Fourier {
 public:
  virtual ~Fourier();
  int64_t side() const { return side_; }  // lines at once
  virtual int64_t bytes() const = 0;      // of tables, about
  virtual int64_t room(int threads) const = 0;
  // At most side() lines, as many of y as of x, which may be the same. room: room(threads.number)
  // bytes, where a register may begin (kFourierAlignment).
  virtual void Run(const FourierLines& x, const FourierLines& y, void* room, double scale,
                   const FourierThreads& threads) const = 0;

 protected:
  explicit Fourier(int64_t side) : side_(side) {}

 private:
  const int64_t side_;
};

inline constexpr int64_t kFourierAlignment = 64;

// What is to be transformed.
struct FourierTask {
  FourierKind kind;
  int64_t n;      // at least 1
  int64_t lines;  // how many there are
  bool is_double;
  bool beside;  // whether elements of several lines lie together
};

// This thread's; valid until its next call.
const Fourier& FourierFor(const FourierTask& task);

// --- For what is compiled once per instruction set.
struct FourierRoot {
  double re, im;
};
// exp(-2 pi j i / n); i >= 0.
FourierRoot FourierRootOf(int64_t i, int64_t n);
// The sizes of passes that make up n, which IsDirect: how many.
int FourierFactors(int64_t n, int* sizes);
// Whether passes alone are quick for n.
bool IsDirect(int64_t n);
// Numbers of `lanes` lines that a line of n goes through that is split in rows, twice.
int64_t FourierWork(int64_t rows, int64_t n, int64_t lanes);
// The divisor of n to split a line by: the one that leaves the fewest lanes empty.
int64_t FourierRows(int64_t n, int64_t lanes);
// Of a circular convolution in which the ends of n elements do not meet.
int64_t FourierConvolutionLength(int64_t n, int64_t lanes);

struct FourierOfIsa {
  int64_t lanes[2];  // of float, of double
  Fourier* (*make)(FourierKind kind, int64_t n, bool is_double, bool one_line);  // the caller's
};
SY_IN_EACH_ISA(extern const FourierOfIsa fourier)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_FOURIER_H_
