// Attention: a block for 32 queries of a head goes over its keys, 32 at a time, and carries what it
// needs: the largest score so far, and sums relative to it. Scores are never in memory.
//
// Source: M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018.
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

inline constexpr int kAttentionTile = 32;  // queries, and keys, at a time
inline constexpr int kAttentionLanes = 8;  // threads for each query

template <class E>
SY_FN E FusedAdd(E a, E b, E c) {
  return MultiplyAdd(Num<E>(a), Num<E>(b), Num<E>(c)).v;
}

// T: elements; M: those of the mask, Bool: which keys take part; kEach: values that a thread sums
// up, of columns lane, lane + 8, … from the block's first one on; kCausal: only keys up to the
// query's own position take part.
template <class T, class M, int kEach, int kCausal>
SY_FN void Attention(const AttentionArgs& args) {
  constexpr int kTile = kAttentionTile, kLanes = kAttentionLanes, kColumns = kEach * kLanes;
  using E = typename decltype(Lift(T()))::Element;
  __shared__ E left[kTile][kTile + 1];   // queries
  __shared__ E right[kTile][kTile + 1];  // keys, then values
  __shared__ E scores[kTile][kTile + 1];
  const int row = static_cast<int>(threadIdx.x) / kLanes,
            lane = static_cast<int>(threadIdx.x) % kLanes;
  const long long tiles = (args.l + kTile - 1) / kTile;
  const long long first = blockIdx.x % tiles * kTile, head = blockIdx.x / tiles % args.heads,
                  batch = blockIdx.x / tiles / args.heads, query = first + row;
  const long long key_head = head / args.grouped;
  const long long column = static_cast<long long>(blockIdx.y) * kColumns;  // the first one
  const bool real = query < args.l;
  const E scale = static_cast<E>(args.scale), infinity = static_cast<E>(__builtin_inf());
  long long end = args.s;
  if (kCausal != 0 && first + kTile < end) end = first + kTile;

  E most = -infinity, sum = 0, values[kEach];
  for (int j = 0; j < kEach; ++j) values[j] = 0;
  for (long long at = 0; at < end; at += kTile) {
    // Scores of four keys a thread.
    E mine[4] = {0, 0, 0, 0};
    for (long long c = 0; c < args.d; c += kTile) {
      for (int k = 0; k < 4; ++k) {
        const int x = lane + k * kLanes;
        const bool inside = c + x < args.d;
        left[row][x] = inside && real ? Lift(RowAt<T>(args.q, args.q_strides, batch, head,
                                                      query)[(c + x) * args.q_strides[3]])
                                            .v
                                      : E(0);
        right[row][x] = inside && at + row < end
                            ? Lift(RowAt<T>(args.k, args.k_strides, batch, key_head,
                                            at + row)[(c + x) * args.k_strides[3]])
                                  .v
                            : E(0);
      }
      __syncthreads();
      for (int x = 0; x < kTile; ++x) {
        for (int k = 0; k < 4; ++k)
          mine[k] = FusedAdd(left[row][x], right[lane + k * kLanes][x], mine[k]);
      }
      __syncthreads();
    }
    for (int k = 0; k < 4; ++k) {
      const long long key = at + lane + k * kLanes;
      E score = mine[k] * scale;
      if (key >= end || !real || (kCausal != 0 && key > query)) {
        score = -infinity;
      } else if (args.mask != nullptr) {
        const M m =
            RowAt<M>(args.mask, args.mask_strides, batch, head, query)[key * args.mask_strides[3]];
        if constexpr (kSameType<M, Bool>) {
          if (m.bits == 0) score = -infinity;
        } else {
          score += static_cast<E>(Lift(m).v);
        }
      }
      scores[row][lane + k * kLanes] = score;
    }
    __syncthreads();
    // Every thread of a query finds the same largest score and sum.
    E now = most, own = 0;
    for (int x = 0; x < kTile; ++x) {
      const E score = scores[row][x];
      now = score > now || score != score ? score : now;
    }
    const bool none = now == -infinity;  // all masked so far
    for (int x = 0; x < kTile; ++x) own += none ? E(0) : exp(Num<E>(scores[row][x] - now)).v;
    const E fade = none || most == -infinity ? E(0) : exp(Num<E>(most - now)).v;
    sum = sum * fade + own;
    for (int j = 0; j < kEach; ++j) values[j] *= fade;
    most = now;
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
      E& score = scores[row][lane + k * kLanes];
      score = none ? E(0) : exp(Num<E>(score - now)).v;
    }
    // Values, a tile of columns at a time: column c of thread `lane` is lane + 8 j.
#pragma unroll  // so that values stay in registers
    for (int c = 0; c < kColumns; c += kTile) {
      __syncthreads();
      for (int k = 0; k < 4; ++k) {
        const int x = lane + k * kLanes;
        const long long f = column + c + x;
        right[row][x] = f < args.f && at + row < end
                            ? Lift(RowAt<T>(args.v, args.v_strides, batch, key_head,
                                            at + row)[f * args.v_strides[3]])
                                  .v
                            : E(0);
      }
      __syncthreads();
      for (int x = 0; x < kTile; ++x) {
        const E weight = scores[row][x];
#pragma unroll
        for (int k = 0; k < 4; ++k)
          values[c / kLanes + k] =
              FusedAdd(weight, right[x][lane + k * kLanes], values[c / kLanes + k]);
      }
    }
    __syncthreads();
  }
  if (!real) return;
  const E divisor = sum == 0 ? E(1) : sum;
  T* out = const_cast<T*>(RowAt<T>(args.out, args.out_strides, batch, head, query));
  for (int j = 0; j < kEach; ++j) {
    const long long f = column + lane + j * kLanes;
    if (f < args.f) out[f * args.out_strides[3]] = Convert<T>(values[j] / divisor);
  }
  if (lane == 0 && column == 0) {
    E* sums = static_cast<E*>(args.sums) + batch * args.sum_strides[0] +
              head * args.sum_strides[1] + query * args.sum_strides[2];
    *sums = most + log(Num<E>(sum)).v;
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_ATTENTION_H_
