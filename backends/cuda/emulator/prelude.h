// What NVRTC gives kernels without being asked, for kernels that g++ compiles to run on the host:
// the grid, barriers, shuffles, atomics, the C library's functions. Compiled with
//   g++ -std=c++20 -DSY_EMULATED -include prelude.h
//
// Threads of a block are fibers of one thread (emulator.cc), which change at barriers alone; blocks
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
SY_MATH2(atan2)
SY_MATH2(copysign)
SY_MATH2(fmod)
SY_MATH2(hypot)
SY_MATH2(pow)
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
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

struct SyDim {
  unsigned x, y, z;
};
struct SyGrid {
  SyDim grid, block, at, thread;
  void (*barrier)();
  // Copies `size` bytes that thread `lane` of the warp has at its `mine` to `theirs`.
  void (*exchange)(const void* mine, void* theirs, size_t size, int lane);
  // Bit l: what thread l of the warp says.
  unsigned (*ballot)(bool mine);
};
// Where the emulator leaves its grid when it has loaded the kernel.
extern "C" SyGrid* sy_grid;
SyGrid* sy_grid;

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __restrict__
#define gridDim (sy_grid->grid)
#define blockDim (sy_grid->block)
#define blockIdx (sy_grid->at)
#define threadIdx (sy_grid->thread)

inline void __syncthreads() { sy_grid->barrier(); }
inline void __syncwarp(unsigned = ~0u) { sy_grid->ballot(false); }
inline unsigned __ballot_sync(unsigned, bool x) { return sy_grid->ballot(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline void __threadfence_system() {}
inline void __threadfence() {}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
template <class T>
inline T __shfl_sync(unsigned, T x, int lane) {
  T y;
  sy_grid->exchange(&x, &y, sizeof x, lane);
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
