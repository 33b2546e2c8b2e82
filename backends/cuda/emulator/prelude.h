// What NVRTC gives kernels without being asked, for kernels that g++ compiles to run on the host:
// the grid, barriers, shuffles, atomics, the C library's functions. Compiled with
//   g++ -std=c++20 -DSY_EMULATED -include prelude.h
//
// Threads of a block are fibers of one thread (fibers.cc), which change at barriers alone; blocks
// run one after another.
#include <stddef.h>

// Declared by hand: <math.h> would cost more than the kernels.
extern "C" {
void* memcpy(void*, const void*, size_t) noexcept;
#define SY_MATH1(name)          \
  double name(double) noexcept; \
  float name##f(float) noexcept;
#define SY_MATH2(name)                  \
  double name(double, double) noexcept; \
  float name##f(float, float) noexcept;
SY_MATH1(acos)
SY_MATH1(acosh)
SY_MATH1(asin)
SY_MATH1(asinh)
SY_MATH1(atan)
SY_MATH1(atanh)
SY_MATH1(ceil)
SY_MATH1(cos)
SY_MATH1(cosh)
SY_MATH1(erf)
SY_MATH1(erfc)
SY_MATH1(exp)
SY_MATH1(exp2)
SY_MATH1(expm1)
SY_MATH1(fabs)
SY_MATH1(floor)
SY_MATH1(lgamma)
SY_MATH1(log)
SY_MATH1(log10)
SY_MATH1(log1p)
SY_MATH1(log2)
SY_MATH1(rint)
SY_MATH1(sin)
SY_MATH1(sinh)
SY_MATH1(sqrt)
SY_MATH1(tan)
SY_MATH1(tanh)
SY_MATH1(trunc)
SY_MATH1(j0)
SY_MATH1(j1)
SY_MATH1(y0)
SY_MATH1(y1)
SY_MATH2(atan2)
SY_MATH2(copysign)
SY_MATH2(fmod)
SY_MATH2(fmax)
SY_MATH2(fmin)
SY_MATH2(hypot)
SY_MATH2(nextafter)
SY_MATH2(pow)
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double frexp(double, int*) noexcept;
inline void sincospi(double x, double* s, double* c) {
  *s = sin(3.14159265358979323846 * x);
  *c = cos(3.14159265358979323846 * x);
}
inline void sincospif(float x, float* s, float* c) {
  *s = static_cast<float>(sin(3.14159265358979323846 * x));
  *c = static_cast<float>(cos(3.14159265358979323846 * x));
}
#undef SY_MATH1
#undef SY_MATH2
}

// Functions that CUDA has and the C library has not, as exact, not as fast.
// Modified Bessel functions of the first kind, by their series. Source: NIST DLMF, 10.25.2.
inline double SyBesselI(int order, double x) {
  if (x - x != 0) return x;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; term > 0x1p-54 * sum && sum - sum == 0; ++k)
    sum += term *= x / 2 * (x / 2) / (double(k) * (k + order));
  return sum;
}
inline double cyl_bessel_i0(double x) { return SyBesselI(0, x); }
inline double cyl_bessel_i1(double x) { return SyBesselI(1, x); }
// The inverse of erfc, by Newton's method on its logarithm, which is concave, from
// above, as erfc(x) < e^(-x^2): no step goes astray.
inline double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return __builtin_nan("");
  if (y == 0 || y == 2) return y == 0 ? __builtin_inf() : -__builtin_inf();
  if (y > 1) return -erfcinv(2 - y);
  double x = sqrt(-log(y));
  for (int k = 0; k < 100; ++k) {
    const double e = erfc(x), step = e * log(e / y) / (1.1283791670955126 * exp(-x * x));
    x += step;
    if (fabs(step) <= 1e-16 * x) break;
  }
  return x;
}
inline double erfinv(double x) {
  if (!(fabs(x) < 0.5)) return x < 0 ? -erfcinv(1 + x) : erfcinv(1 - x);
  double y = x;
  for (int k = 0; k < 20; ++k) y -= (erf(y) - x) / (1.1283791670955126 * exp(-y * y));
  return y;
}
inline double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }
// e^(x^2) erfc(x), with what rounding x^2 leaves put back; of large x by its series at infinity.
// Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 7.1.23.
inline double erfcx(double x) {
  if (!(x > 25)) {
    const double square = x * x;
    if (square == __builtin_inf()) return square;
    return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
  }
  double term = 1, sum = 1;
  for (int k = 1; k <= 8; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * 1.7724538509055160);
}

struct SyDim {
  unsigned x, y, z;
};
struct SyGrid {
  SyDim grid, block, at, thread;
  // All of the block's threads wait for each other at one place of the source.
  void (*barrier)(const char* file, int line);
  // Copies `size` bytes that thread `lane` of the warp has at its `mine` to `theirs`: once all that
  // `mask` names have come. Of one that it does not name, no bytes of anybody's.
  void (*exchange)(unsigned mask, const void* mine, void* theirs, size_t size, int lane);
  // Bit l: what thread l of the warp says, of those that `mask` names.
  unsigned (*ballot)(unsigned mask, bool mine);
};
// Where the emulator leaves its grid when it has loaded the kernel.
extern "C" SyGrid* sy_grid;
SyGrid* sy_grid;

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __device__
#define __host__
#define __forceinline__ inline
// The emulator fills a module's thread-local memory with garbage before each block: nothing else of
// a kernel's lies there.
#define __shared__ static thread_local
extern "C" void* sy_shared();
void* sy_shared() {
  static thread_local char first[16];
  return first;
}
#define __restrict__
#define gridDim (sy_grid->grid)
#define blockDim (sy_grid->block)
#define blockIdx (sy_grid->at)
#define threadIdx (sy_grid->thread)

#define __syncthreads() sy_grid->barrier(__FILE__, __LINE__)
inline void __syncwarp(unsigned mask = ~0u) { sy_grid->ballot(mask, false); }
inline unsigned __ballot_sync(unsigned mask, bool x) { return sy_grid->ballot(mask, x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline void __threadfence_system() {}
inline void __threadfence() {}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
template <class T>
inline T __shfl_sync(unsigned mask, T x, int lane) {
  T y;
  sy_grid->exchange(mask, &x, &y, sizeof x, lane);
  return y;
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T x, unsigned by) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  return __shfl_sync(mask, x,
                     lane + static_cast<int>(by) < 32 ? lane + static_cast<int>(by) : lane);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T x, unsigned by) {
  const int lane = static_cast<int>(threadIdx.x % 32), from = lane - static_cast<int>(by);
  return __shfl_sync(mask, x, from < 0 ? lane : from);
}
template <class T>
inline T atomicCAS(T* p, T expected, T value) {
  const T old = *p;
  if (old == expected) *p = value;
  return old;
}
template <class T>
inline T atomicAdd(T* p, T value) {
  const T old = *p;
  *p = old + value;
  return old;
}
template <class T>
inline T atomicMax(T* p, T value) {
  const T old = *p;
  if (value > old) *p = value;
  return old;
}
template <class T>
inline T atomicOr(T* p, T value) {
  const T old = *p;
  *p = old | value;
  return old;
}
