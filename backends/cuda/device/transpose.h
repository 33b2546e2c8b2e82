// Copies that read along one dimension and write along another, by tiles in shared memory: both
// sides move runs of neighbours.
//
// Source: G. Ruetsch, P. Micikevicius, "Optimizing matrix transpose in CUDA", NVIDIA, 2009 (tiles
// with rows a bank longer, so that columns lie in different banks).
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_TRANSPOSE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_TRANSPOSE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// A block of 256 threads for each tile. Operands of the space, which has the other dimensions: to,
// from.
template <class To, class From, int kTile>
SY_FN void Transpose(const TransposeArgs& args) {
  constexpr int kPad = sizeof(To) < 4 ? 4 / static_cast<int>(sizeof(To)) : 1;
  constexpr int kStep = 256 / kTile;
  __shared__ To tile[kTile][kTile + kPad];
  const long long block = blockIdx.x, first = block % args.column_tiles,
                  rest = block / args.column_tiles;
  const Offsets<2, UInt64> at(rest / args.row_tiles, args.space);
  const long long column = first * kTile, row = rest % args.row_tiles * kTile;
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
  const long long from = static_cast<long long>(at.of[1]) + (row + x) * sizeof(From);
  To moved[kTile / kStep];  // all on their way at once
#pragma unroll
  for (int k = 0; k < kTile / kStep; ++k) {
    const int j = y + k * kStep;
    if (row + x < args.rows && column + j < args.columns)
      moved[k] = Convert<To>(At<From>(args.from, from + (column + j) * args.from_step));
  }
#pragma unroll
  for (int k = 0; k < kTile / kStep; ++k) tile[y + k * kStep][x] = moved[k];
  __syncthreads();
  const long long to = static_cast<long long>(at.of[0]) + (column + x) * sizeof(To);
#pragma unroll
  for (int k = 0; k < kTile / kStep; ++k) {
    const int j = y + k * kStep;
    if (row + j < args.rows && column + x < args.columns)
      At<To>(args.to, to + (row + j) * args.to_step) = tile[x][j];
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_TRANSPOSE_H_
