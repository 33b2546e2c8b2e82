// The grid from a thread's view, and positions in an index space. SY_CUDA_KERNEL is how generated
// sources declare a kernel: every kernel takes one struct.
//
//   SY_CUDA_KERNEL(k, FlatArgs, Add::Run(args))
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_H_

#include "switchyard/backends/cuda/device/args.h"
#include "switchyard/ops/formulas/vocab.h"

#if defined(SY_EMULATED)
#define SY_CUDA_KERNEL(name, Args, ...)                     \
  extern "C" {                                              \
  extern const size_t name##_args_size;                     \
  const size_t name##_args_size = sizeof(Args);             \
  void name(void** given) {                                 \
    const Args& args = *static_cast<const Args*>(given[0]); \
    __VA_ARGS__;                                            \
  }                                                         \
  }
#define SY_CUDA_BOUNDED_KERNEL(name, threads, blocks, Args, ...) \
  SY_CUDA_KERNEL(name, Args, __VA_ARGS__)
#else
#define SY_CUDA_KERNEL(name, Args, ...) \
  extern "C" __global__ void name(const __grid_constant__ Args args) { __VA_ARGS__; }
// Of blocks of so many threads at most, so many of which a multiprocessor is to have at least: the
// compiler keeps to the registers that leaves.
#define SY_CUDA_BOUNDED_KERNEL(name, threads, blocks, Args, ...) \
  extern "C" __global__ void __launch_bounds__(threads, blocks)  \
      name(const __grid_constant__ Args args) {                  \
    __VA_ARGS__;                                                 \
  }
#endif

namespace sy::cuda {

SY_FN long long ThreadIndex() {
  return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}
SY_FN long long ThreadCount() { return static_cast<long long>(gridDim.x) * blockDim.x; }

SY_FN unsigned Quotient(unsigned n, const Divider& d) {
  return (__umulhi(n, d.magic) + n) >> d.shift;
}

template <class T>
SY_FN T& At(void* data, long long offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(data) + offset);
}
template <class T>
SY_FN const T& At(const void* data, long long offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(data) + offset);
}

// Row `row` of matrices by batch and head: a tensor of four dimensions, strides in elements.
template <class T>
SY_FN const T* RowAt(const void* data, const long long (&strides)[4], long long batch,
                     long long head, long long row) {
  return static_cast<const T*>(data) + batch * strides[0] + head * strides[1] + row * strides[2];
}

// Offsets, in bytes, of `kCount` operands at position `at` of an index space, innermost dimension
// first. Index: unsigned where everything fits 31 bits.
template <int kCount, class Index>
struct Offsets {
  Index of[kCount];

  SY_FN Offsets(long long at, const Space& space) {
    for (int k = 0; k < kCount; ++k) of[k] = 0;
    Index rest = static_cast<Index>(at);
    for (int d = 0; d < space.rank; ++d) {
      Index i = rest;
      if (d + 1 < space.rank) {
        if constexpr (sizeof(Index) == 4) {
          rest = Quotient(i, space.dividers[d]);
        } else {
          rest = i / space.sizes[d];
        }
        i -= rest * static_cast<Index>(space.sizes[d]);
      }
      for (int k = 0; k < kCount; ++k) of[k] += i * static_cast<Index>(space.strides[k][d]);
    }
  }
};

template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T v[N];
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_H_
