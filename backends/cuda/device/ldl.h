// Factors L D L^H of Hermitian matrices of complex numbers, whose D has blocks of one or two rows,
// and equations by them: what cuSOLVER has for symmetric matrices alone. Numbers are computed in
// double. Pivots are LAPACK's: of a block of one row, which row it was exchanged with, from 1; of a
// block of two, twice that of the second one, negative.
//
// Source: J. R. Bunch, L. Kaufman, "Some stable methods for calculating inertia and solving
// symmetric linear systems", Mathematics of Computation 31, 1977; the order of steps and what is
// stored: LAPACK's zhetf2 and zhetrs.
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_LDL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_LDL_H_

#include "switchyard/backends/cuda/device/lines.h"
#include "switchyard/backends/cuda/device/matrix_args.h"

namespace sy::cuda {

using Wide = Complex<Num<double>>;

SY_FN Wide Conjugate(Wide x) { return {x.re, -x.im}; }
SY_FN Wide Real(double x) { return {Num<double>(x), Num<double>(0.0)}; }
// Its parts' sum, by which LAPACK compares.
SY_FN double Magnitude(Wide x) { return ::fabs(x.re.v) + ::fabs(x.im.v); }

// A matrix by columns, element by element.
template <class T>
struct ByColumns {
  T* data;
  long long rows;

  SY_FN T& At(long long i, long long j) const { return data[i + j * rows]; }
  SY_FN Wide Get(long long i, long long j) const { return Lift(Convert<Pair<double>>(At(i, j))); }
  SY_FN void Set(long long i, long long j, Wide x) const {
    At(i, j) = Convert<T>(Lower<Pair<double>>(x));
  }
  SY_FN void Swap(long long i, long long j, long long k, long long l) const {
    const T x = At(i, j);
    At(i, j) = At(k, l);
    At(k, l) = x;
  }
  SY_FN void MakeReal(long long i) const { Set(i, i, Real(Get(i, i).re.v)); }
};

// Where the largest of some numbers is.
struct Peak {
  double value;
  long long at;
};
// The block's largest f(i) of i = begin to end; the first of equal ones, begin where all are 0.
template <class F>
SY_FN Peak PeakOf(long long begin, long long end, F f) {
  Peak own{0, begin};
  for (long long i = begin + threadIdx.x; i < end; i += kLineThreads) {
    const double x = f(i);
    if (x > own.value) own = {x, i};
  }
  return BlockAll(own, [](Peak a, Peak b) {
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
  });
}

// What the block that begins at row k is made of: its rows, and which one is exchanged with its
// last. None: 0 rows, as there are zeros alone.
struct Pivot {
  int rows;
  long long with;
};
template <class T>
SY_FN Pivot ChoosePivot(const ByColumns<T>& a, long long n, long long k) {
  constexpr double kAlpha = 0.6403882032022076;  // (1 + sqrt 17) / 8
  const double own = ::fabs(a.Get(k, k).re.v);
  const Peak below = PeakOf(k + 1, n, [&](long long i) { return Magnitude(a.Get(i, k)); });
  if (!(own > 0 || below.value > 0)) return {0, k};
  if (own >= kAlpha * below.value) return {1, k};
  const long long other = below.at;
  const Peak row = PeakOf(k, n, [&](long long j) {
    return j == other ? 0.0 : Magnitude(j < other ? a.Get(other, j) : a.Get(j, other));
  });
  if (own >= kAlpha * below.value * (below.value / row.value)) return {1, k};
  return {::fabs(a.Get(other, other).re.v) >= kAlpha * row.value ? 1 : 2, other};
}

// Exchanges row and column `last` with those of `with`, both of the lower triangle from column k.
template <class T>
SY_FN void Exchange(const ByColumns<T>& a, long long n, long long k, long long last,
                    long long with) {
  for (long long i = with + 1 + threadIdx.x; i < n; i += kLineThreads) a.Swap(i, last, i, with);
  for (long long j = last + 1 + threadIdx.x; j < with; j += kLineThreads) {
    const Wide x = a.Get(j, last);
    a.Set(j, last, Conjugate(a.Get(with, j)));
    a.Set(with, j, Conjugate(x));
  }
  if (threadIdx.x != 0) return;
  a.Set(with, last, Conjugate(a.Get(with, last)));
  a.Swap(last, last, with, with);
  if (last != k) a.Swap(last, k, with, k);
}

// f(j, x, y) of columns j from `begin` on, a warp for each, then a(i, j) -= what x and y have of
// row i: the outer product with the block's columns.
template <class T>
SY_FN void TakeOff(const ByColumns<T>& a, long long n, long long k, const Pivot& pivot) {
  const long long begin = k + pivot.rows;
  // Row j of L before it is scaled, times the inverse of D's block.
  const auto scaled = [&](long long j, Wide& x, Wide& y) {
    const Wide p = a.Get(j, k);
    if (pivot.rows == 1) {
      x = p * Real(1 / a.Get(k, k).re.v);
      return;
    }
    const Wide q = a.Get(j, k + 1), between = a.Get(k + 1, k);
    const double size = ::hypot(between.re.v, between.im.v);
    const double first = a.Get(k + 1, k + 1).re.v / size, second = a.Get(k, k).re.v / size;
    const Wide turn = between * Real(1 / size);
    const Wide factor = Real(1 / (first * second - 1) / size);
    x = factor * (Real(first) * p - turn * q);
    y = factor * (Real(second) * q - Conjugate(turn) * p);
  };
  for (long long j = begin + WarpOfBlock(); j < n; j += kLineWarps) {
    Wide x = Real(0), y = Real(0);
    scaled(j, x, y);
    for (long long i = j + LaneOfWarp(); i < n; i += 32) {
      Wide rest = a.Get(i, j) - a.Get(i, k) * Conjugate(x);
      if (pivot.rows == 2) rest = rest - a.Get(i, k + 1) * Conjugate(y);
      a.Set(i, j, i == j ? Real(rest.re.v) : rest);
    }
  }
  __syncthreads();
  for (long long j = begin + threadIdx.x; j < n; j += kLineThreads) {
    Wide x = Real(0), y = Real(0);
    scaled(j, x, y);
    a.Set(j, k, x);
    if (pivot.rows == 2) a.Set(j, k + 1, y);
  }
}

// A block for each matrix.
template <class T>
SY_FN void FactorHermitian(const LdlArgs& args) {
  const long long n = args.n;
  const ByColumns<T> a{static_cast<T*>(args.a) + blockIdx.x * n * n, n};
  int* const pivots = args.pivots + blockIdx.x * n;
  long long rows = 1;
  for (long long k = 0; k < n; k += rows) {
    const Pivot pivot = ChoosePivot(a, n, k);
    __syncthreads();  // everybody has seen what is exchanged now
    rows = pivot.rows == 2 ? 2 : 1;
    const long long last = k + rows - 1;
    if (pivot.with != last) Exchange(a, n, k, last, pivot.with);
    __syncthreads();
    if (threadIdx.x == 0) {
      for (long long i = k; i <= last; ++i) {
        a.MakeReal(i);
        pivots[i] = static_cast<int>(rows == 2 ? -(pivot.with + 1) : pivot.with + 1);
      }
      if (pivot.rows == 0 && args.info[blockIdx.x] == 0)
        args.info[blockIdx.x] = static_cast<int>(k + 1);
    }
    __syncthreads();
    if (pivot.rows != 0) TakeOff(a, n, k, pivot);
    __syncthreads();
  }
}

// A thread for each column of what is right of the equations.
template <class T>
SY_FN void SolveHermitian(const LdlArgs& args) {
  const long long t = ThreadIndex(), n = args.n;
  if (t >= args.batch * args.columns) return;
  const long long matrix = args.which[t / args.columns];
  const ByColumns<T> a{static_cast<T*>(args.a) + matrix * n * n, n};
  const int* const pivots = args.pivots + matrix * n;
  const ByColumns<T> b{static_cast<T*>(args.b) + t * n, n};
  const auto swap = [&](long long i, long long j) { b.Swap(i, 0, j, 0); };
  const auto take_off = [&](long long begin, long long column) {  // L's column times that element
    const Wide x = b.Get(column, 0);
    for (long long i = begin; i < n; ++i) b.Set(i, 0, b.Get(i, 0) - a.Get(i, column) * x);
  };
  for (long long k = 0; k < n;) {
    if (pivots[k] > 0) {
      swap(k, pivots[k] - 1);
      take_off(k + 1, k);
      b.Set(k, 0, b.Get(k, 0) * Real(1 / a.Get(k, k).re.v));
      ++k;
      continue;
    }
    swap(k + 1, -pivots[k] - 1);
    take_off(k + 2, k);
    take_off(k + 2, k + 1);
    const Wide between = a.Get(k + 1, k), first = a.Get(k, k) / Conjugate(between),
               second = a.Get(k + 1, k + 1) / between, divisor = first * second - Real(1);
    const Wide p = b.Get(k, 0) / Conjugate(between), q = b.Get(k + 1, 0) / between;
    b.Set(k, 0, (second * p - q) / divisor);
    b.Set(k + 1, 0, (first * q - p) / divisor);
    k += 2;
  }
  const auto gather = [&](long long begin, long long row) {  // L^H's row times what is solved
    Wide sum = b.Get(row, 0);
    for (long long i = begin; i < n; ++i) sum = sum - Conjugate(a.Get(i, row)) * b.Get(i, 0);
    b.Set(row, 0, sum);
  };
  for (long long k = n - 1; k >= 0;) {
    gather(k + 1, k);
    if (pivots[k] > 0) {
      swap(k, pivots[k] - 1);
      --k;
      continue;
    }
    gather(k + 1, k - 1);
    swap(k, -pivots[k] - 1);
    k -= 2;
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_LDL_H_
