// Attention of short floats on tensor cores: a block of four warps for 64 queries of a head goes over
// its keys, 64 at a time. While scores are computed, values are on their way to shared memory, and
// while those are summed up, the next keys. Scores and weights never leave registers: what a warp
// has of a sum is what the next product wants of its left matrix.
//
// Source: T. Dao, "FlashAttention-2", 2023; M. Milakov, N. Gimelshein, "Online normalizer calculation
// for softmax", 2018.
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_TILES_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_TILES_H_

#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/tensor_core.h"

namespace sy::cuda {

inline constexpr int kAttentionWarps = 4;
inline constexpr int kAttentionRows = 64;  // queries of a block, and keys at a time

// 64 rows of `kColumns` elements in shared memory. Eight elements between rows keep the eight rows
// of a matrix in different banks.
template <class T, int kColumns>
struct AttentionRows {
  static constexpr int kPitch = kColumns + 8;
  alignas(16) T at[kAttentionRows * kPitch];

  SY_FN const T* Row(int row, int column) const { return at + row * kPitch + column; }

  // Starts to copy rows `first` up to `end` of a matrix of `columns` columns, a multiple of 8;
  // zeros are added around it.
  SY_FN void Start(const T* matrix, long long row_stride, long long first, long long end,
                   long long columns) {
    for (int i = static_cast<int>(threadIdx.x); i < kAttentionRows * kColumns / 8;
         i += 32 * kAttentionWarps) {
      const int row = i / (kColumns / 8), column = i % (kColumns / 8) * 8;
      const bool inside = first + row < end && column < columns;
      AsyncCopy16(at + row * kPitch + column,
                  inside ? matrix + (first + row) * row_stride + column : matrix, !inside);
    }
  }
};

// 2 to the x, to two units of float32's last place.
SY_FN float PowerOf2(float x) {
#if defined(SY_EMULATED)
  return exp2f(x);
#else
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#endif
}

// T: Float16 or BFloat16, innermost stride 1; M: elements of the mask, Bool: which keys take part;
// kD, kF: columns of queries and values at most, multiples of 16; kCausal: only keys up to the
// query's own position take part.
template <class T, class M, int kD, int kF, int kCausal>
SY_FN void AttentionByTiles(const AttentionArgs& args) {
  constexpr int kRows = kAttentionRows;
  __shared__ AttentionRows<T, kD> keys;
  __shared__ AttentionRows<T, kF> values;
  const int lane = LaneOfWarp(), warp = WarpOfBlock();
  const long long tiles = (args.l + kRows - 1) / kRows;
  const long long first = blockIdx.x % tiles * kRows, head = blockIdx.x / tiles % args.heads,
                  batch = blockIdx.x / tiles / args.heads, key_head = head / args.grouped;
  const T* const k = RowAt<T>(args.k, args.k_strides, batch, key_head, 0);
  const T* const v = RowAt<T>(args.v, args.v_strides, batch, key_head, 0);
  long long end = args.s;
  if (kCausal != 0 && first + kRows < end) end = first + kRows;

  // Queries, by way of where the keys will be.
  unsigned queries[kD / 16][4];
  keys.Start(RowAt<T>(args.q, args.q_strides, batch, head, 0), args.q_strides[2], first, args.l,
             args.d);
  CloseCopies();
  AwaitCopies<0>();
  __syncthreads();
#pragma unroll
  for (int c = 0; c < kD / 16; ++c)
    LoadMatrices<false>(queries[c], keys.Row(16 * warp + lane % 16, 16 * c + lane / 16 * 8));
  __syncthreads();

  // Logarithms are those to base 2 until the end. Of a lane's two queries: the largest score and
  // the lane's part of the sum of weights.
  constexpr float kLog2E = 1.4426950408889634f;
  const float infinity = static_cast<float>(__builtin_inf());
  const float scale = static_cast<float>(args.scale) * kLog2E;
  const long long query = first + 16 * warp + lane / 4;
  float most[2] = {-infinity, -infinity}, sum[2] = {0, 0}, out[kF / 8][4] = {};
  keys.Start(k, args.k_strides[2], 0, end, args.d);
  CloseCopies();
  for (long long at = 0; at < end; at += kRows) {
    values.Start(v, args.v_strides[2], at, end, args.f);
    CloseCopies();
    AwaitCopies<1>();  // for the keys
    __syncthreads();
    float scores[kRows / 8][4] = {};
#pragma unroll
    for (int c = 0; c < kD / 16; ++c) {
#pragma unroll
      for (int j = 0; j < kRows / 16; ++j) {
        unsigned part[4];
        LoadMatrices<false>(part,
                            keys.Row(16 * j + lane % 8 + lane / 16 * 8, 16 * c + lane / 8 % 2 * 8));
        MultiplyAddMatrices<T>(scores[2 * j], queries[c], part[0], part[1]);
        MultiplyAddMatrices<T>(scores[2 * j + 1], queries[c], part[2], part[3]);
      }
    }
    __syncthreads();
    if (at + kRows < end) keys.Start(k, args.k_strides[2], at + kRows, end, args.d);
    CloseCopies();

    const bool whole =
        at + kRows <= end && args.mask == nullptr && (kCausal == 0 || at + kRows <= first);
    float now[2] = {most[0], most[1]};
#pragma unroll
    for (int i = 0; i < kRows / 8; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        float score = scores[i][e] * scale;
        if (!whole) {
          const long long row = query + e / 2 * 8, key = at + 8 * i + lane % 4 * 2 + e % 2;
          if (key >= end || (kCausal != 0 && key > row)) {
            score = -infinity;
          } else if (args.mask != nullptr && row < args.l) {
            const M m = RowAt<M>(args.mask, args.mask_strides, batch, head,
                                 row)[key * args.mask_strides[3]];
            if constexpr (kSameType<M, Bool>) {
              if (m.bits == 0) score = -infinity;
            } else {
              score += static_cast<float>(Lift(m).v) * kLog2E;
            }
          }
        }
        scores[i][e] = score;
        now[e / 2] = fmaxf(now[e / 2], score);
      }
    }
    float base[2];
#pragma unroll
    for (int y = 0; y < 2; ++y) {
      for (int d = 1; d < 4; d *= 2) now[y] = fmaxf(now[y], FromLane(now[y], lane ^ d));
      base[y] = now[y] == -infinity ? 0.0f : now[y];  // all masked so far
      const float fade = PowerOf2(most[y] - base[y]);
      most[y] = now[y];
      sum[y] *= fade;
#pragma unroll
      for (int c = 0; c < kF / 8; ++c) {
        out[c][2 * y] *= fade;
        out[c][2 * y + 1] *= fade;
      }
    }
    unsigned weights[kRows / 16][4];
#pragma unroll
    for (int i = 0; i < kRows / 8; ++i) {
#pragma unroll
      for (int y = 0; y < 2; ++y) {
        const float left = PowerOf2(scores[i][2 * y] - base[y]),
                    right = PowerOf2(scores[i][2 * y + 1] - base[y]);
        sum[y] += left + right;
        weights[i / 2][i % 2 * 2 + y] = Neighbours<T>(left, right);
      }
    }
    AwaitCopies<1>();  // for the values
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kRows / 16; ++j) {
#pragma unroll
      for (int c = 0; c < kF / 16; ++c) {
        unsigned part[4];
        LoadMatrices<true>(part, values.Row(16 * j + lane % 16, 16 * c + lane / 16 * 8));
        MultiplyAddMatrices<T>(out[2 * c], weights[j], part[0], part[1]);
        MultiplyAddMatrices<T>(out[2 * c + 1], weights[j], part[2], part[3]);
      }
    }
    __syncthreads();
  }
  AwaitCopies<0>();

#pragma unroll
  for (int y = 0; y < 2; ++y) {
    for (int d = 1; d < 4; d *= 2) sum[y] += FromLane(sum[y], lane ^ d);
    const long long row = query + 8 * y;
    if (row >= args.l) continue;
    const float divisor = sum[y] == 0 ? 1.0f : sum[y];
    T* to = const_cast<T*>(RowAt<T>(args.out, args.out_strides, batch, head, row));
#pragma unroll
    for (int c = 0; c < kF / 8; ++c) {
      const int column = 8 * c + lane % 4 * 2;
      if (column >= args.f) continue;
      const unsigned pair = Neighbours<T>(out[c][2 * y] / divisor, out[c][2 * y + 1] / divisor);
      At<unsigned>(to + column, 0) = pair;
    }
    if (lane % 4 == 0) {
      float* sums = static_cast<float*>(args.sums) + batch * args.sum_strides[0] +
                    head * args.sum_strides[1] + row * args.sum_strides[2];
      *sums = (most[y] + log2f(sum[y])) / kLog2E;
    }
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_TILES_H_
