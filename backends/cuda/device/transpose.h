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
  constexpr int kStep = 256 / kTile, kEach = kTile / kStep;
  __shared__ To tile[kTile][kTile + kPad];
  // Counts of tiles are at most those of blocks.
  const unsigned block = blockIdx.x, across = static_cast<unsigned>(args.column_tiles),
                 down = static_cast<unsigned>(args.row_tiles), rest = block / across;
  const Offsets<2, UInt64> at(rest / down, args.space);
  const long long column = static_cast<long long>(block % across) * kTile,
                  row = static_cast<long long>(rest % down) * kTile;
  const auto left = [](long long n) { return n < kTile ? static_cast<int>(n) : kTile; };
  const int columns = left(args.columns - column), rows = left(args.rows - row);
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
  const long long from =
      static_cast<long long>(at.of[1]) + (row + x) * sizeof(From) + (column + y) * args.from_step;
  To moved[kEach];  // all on their way at once
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (x < rows && y + k * kStep < columns)
      moved[k] = Convert<To>(At<From>(args.from, from + k * (kStep * args.from_step)));
  }
#pragma unroll
  for (int k = 0; k < kEach; ++k) tile[y + k * kStep][x] = moved[k];
  __syncthreads();
  const long long to =
      static_cast<long long>(at.of[0]) + (column + x) * sizeof(To) + (row + y) * args.to_step;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    if (x < columns && y + k * kStep < rows)
      At<To>(args.to, to + k * (kStep * args.to_step)) = tile[x][y + k * kStep];
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_TRANSPOSE_H_
