// Whole batches in one call of a library, for matrices so small that calling it takes longer than
// what it does.
//
//   if (UseBatched(a, n)) {
//     const Tensor at = Addresses(call, a);
//     ByParts(a.size(0), [&](int64_t first, int count) {
//       … AddressAt<double>(at, first), InfoAt(info, first), count …
//     });
//   }
//
// Owns: nothing. Threads: any. Everything is queued, and can be captured.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_BATCHED_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_BATCHED_H_

#include <algorithm>

#include "backends/cuda/kernels/linalg/matrices.h"

namespace sy::cuda {

// Whether one call is quicker than one for each of a's matrices, which are [batch, .., ..]: there
// are two at least, and one for each 16 of n rows, which are 256 at most; no side of a's is longer
// than 65536, beyond which the libraries' batched functions fail at one size or another.
// Sources: the limits within which PyTorch takes cuBLAS's batched QR (geqrf_kernel of its
// BatchLinearAlgebra.cpp); trsmBatched, 524,281 columns: github.com/pytorch/pytorch/issues/79191.
bool UseBatched(const Tensor& a, int64_t n);

// Where each of a batch's matrices begins: int64 [batch], on the device.
Tensor Addresses(Call call, const Tensor& batch);
// The same of the matrices that `own`, of whose matrices `batch` is made, expands to.
Tensor ExpandedAddresses(Call call, const Tensor& batch, IntSpan own, IntSpan expanded);

template <class Number>
Number** AddressAt(const Tensor& addresses, int64_t i) {
  return static_cast<Number**>(MatrixAt(addresses, i));
}

// f(first, count) for a batch's matrices, as many at a time as the libraries surely take: grids end
// at 65535 along two of their dimensions, XsyevBatched fails from some 32,768 on.
// Source: github.com/mujocolab/mjlab/pull/732.
inline constexpr int64_t kMostBatched = 16384;
template <class F>
void ByParts(int64_t batch, F&& f) {
  for (int64_t first = 0; first < batch; first += kMostBatched)
    f(first, static_cast<int>(std::min(kMostBatched, batch - first)));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_LINALG_BATCHED_H_
