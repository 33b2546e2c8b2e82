// The transform of lines side by side, of a length whose prime factors are small: a pass for each
// factor, from one array to another, after which the numbers are in order (Stockham).
//
//   const Passes<float> passes(1000);
//   const Cx<float>* y = passes.Run(x, a, b);    // forward; y is a or b, x of 1000 is kept
//
// Source: C. Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), 1.7.
// Owns: its tables. Threads: const use from any number.
#ifndef SWITCHYARD_BACKENDS_CPU_FOURIER_PASSES_H_
#define SWITCHYARD_BACKENDS_CPU_FOURIER_PASSES_H_

#include "backends/cpu/fourier/butterflies.h"
#include "backends/cpu/fourier/fourier.h"

namespace sy::cpu::SY_ISA {

// exp(-2 pi j i / n)
template <class T>
Root<T> RootOf(int64_t i, int64_t n) {
  const FourierRoot root = FourierRootOf(i, n);
  return {static_cast<T>(root.re), static_cast<T>(root.im)};
}

// One pass. x is [kSize, rest, done] numbers, y [rest, kSize, done]; the k-th of a butterfly is
// turned by its place in `rest` times k; at place 0 there is nothing to turn.
template <class T>
struct Pass {
  int size;
  int64_t rest, done;
  const Root<T>* roots;  // [rest, size - 1]
  const Root<T>* turns;  // [size], for odd ones
};

// in(i): number i of x; out(i, number): it becomes number i of y.
template <class T>
struct FromArray {
  const Cx<T>* x;
  SY_FN Cx<T> operator()(int64_t i) const { return x[i]; }
};
template <class T>
struct IntoArray {
  Cx<T>* y;
  SY_FN void operator()(int64_t i, Cx<T> number) const { y[i] = number; }
};

template <int kSize, bool kTurned, class T, class In, class Out>
SY_FN void RunPlace(const Pass<T>& pass, int64_t place, In in, Out out) {
  const int64_t done = pass.done, step = pass.rest * done;
  const Root<T>* const roots = pass.roots + place * (kSize - 1);
  const int64_t x = place * done, y = x * kSize;
  for (int64_t q = 0; q < done; ++q) {
    Cx<T> v[kSize];
#pragma GCC unroll 16
    for (int k = 0; k < kSize; ++k) v[k] = in(x + k * step + q);
    Butterfly(v, pass.turns);
    out(y + q, v[0]);
#pragma GCC unroll 16
    for (int k = 1; k < kSize; ++k)
      out(y + k * done + q, kTurned ? Times(v[k], roots[k - 1]) : v[k]);
  }
}
template <int kSize, class T, class In, class Out>
void RunPass(const Pass<T>& pass, In in, Out out) {
  RunPlace<kSize, false>(pass, 0, in, out);
  for (int64_t place = 1; place < pass.rest; ++place) RunPlace<kSize, true>(pass, place, in, out);
}
template <class T>
void RunOddPass(const Pass<T>& pass, const Cx<T>* x, Cx<T>* y) {
  const int64_t done = pass.done, step = pass.rest * done;
  for (int64_t i = 0; i < step; ++i) {
    const int64_t place = i / done, q = i % done;
    Cx<T> v[kLargestOdd];
    for (int k = 0; k < pass.size; ++k) v[k] = x[k * step + i];
    OddButterfly(v, pass.size, pass.turns);
    const Root<T>* const roots = pass.roots + place * (pass.size - 1);
    Cx<T>* const to = y + place * done * pass.size + q;
    to[0] = v[0];
    for (int k = 1; k < pass.size; ++k) to[k * done] = Times(v[k], roots[k - 1]);
  }
}

template <class T>
class Passes {
 public:
  explicit Passes(int64_t n) : n_(n) {
    int sizes[kMostPasses];
    count_ = FourierFactors(n, sizes);
    int64_t roots = 0;
    for (int64_t i = 0, rest = n; i < count_; ++i) {
      rest /= sizes[i];
      roots += rest * (sizes[i] - 1) + sizes[i];
    }
    roots_ = Array<Root<T>>(roots);
    Root<T>* at = roots_.begin();
    for (int64_t i = 0, rest = n, done = 1; i < count_; ++i) {
      const int size = sizes[i];
      rest /= size;
      passes_[i] = {size, rest, done, at, at + rest * (size - 1)};
      for (int64_t place = 0; place < rest; ++place) {
        for (int k = 1; k < size; ++k) *at++ = RootOf<T>(place * k, rest * size);
      }
      for (int k = 0; k < size; ++k) *at++ = RootOf<T>(k, size);
      done *= size;
    }
  }
  int64_t bytes() const { return roots_.bytes(); }

  // x and b may be the same, of which x's numbers are lost then.
  const Cx<T>* Run(const Cx<T>* x, Cx<T>* a, Cx<T>* b) const { return Run(0, count_, x, a, b); }

  // Numbers that the first pass takes by in(i), or that the last one gives to out(i, number).
  template <class In>
  const Cx<T>* RunFrom(In in, Cx<T>* a, Cx<T>* b) const {
    if (count_ == 0 || !IsCommon(passes_[0])) {
      for (int64_t i = 0; i < n_; ++i) b[i] = in(i);
      return Run(b, a, b);
    }
    RunCommon(passes_[0], in, IntoArray<T>{a});
    return Run(1, count_, a, b, a);
  }
  template <class Out>
  void RunInto(Out out, const Cx<T>* x, Cx<T>* a, Cx<T>* b) const {
    if (count_ == 0 || !IsCommon(passes_[count_ - 1])) {
      const Cx<T>* const sums = Run(x, a, b);
      for (int64_t i = 0; i < n_; ++i) out(i, sums[i]);
      return;
    }
    RunCommon(passes_[count_ - 1], FromArray<T>{Run(0, count_ - 1, x, a, b)}, out);
  }

 private:
  static constexpr int kMostPasses = 64;

  const Cx<T>* Run(int first, int last, const Cx<T>* x, Cx<T>* a, Cx<T>* b) const {
    for (int i = first; i < last; ++i) {
      RunOne(passes_[i], x, a);
      x = a;
      a = b;
      b = const_cast<Cx<T>*>(x);
    }
    return x;
  }
  // Those that are compiled for every way in and out.
  static bool IsCommon(const Pass<T>& pass) { return pass.size == 4 || pass.size == 8; }
  template <class In, class Out>
  static void RunCommon(const Pass<T>& pass, In in, Out out) {
    pass.size == 8 ? RunPass<8>(pass, in, out) : RunPass<4>(pass, in, out);
  }
  static void RunOne(const Pass<T>& pass, const Cx<T>* from, Cx<T>* to) {
    const FromArray<T> x{from};
    const IntoArray<T> y{to};
    switch (pass.size) {
      case 2:
        return RunPass<2>(pass, x, y);
      case 3:
        return RunPass<3>(pass, x, y);
      case 4:
        return RunPass<4>(pass, x, y);
      case 5:
        return RunPass<5>(pass, x, y);
      case 7:
        return RunPass<7>(pass, x, y);
      case 8:
        return RunPass<8>(pass, x, y);
      default:
        return RunOddPass(pass, from, to);
    }
  }

  const int64_t n_;
  int count_;
  Pass<T> passes_[kMostPasses];
  Array<Root<T>> roots_;
};

}  // namespace sy::cpu::SY_ISA

#endif  // SWITCHYARD_BACKENDS_CPU_FOURIER_PASSES_H_
