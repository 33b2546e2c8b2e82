// Products of small matrices of short floats by a warp, and how their parts come from memory.
//
// Matrices are spread over a warp's lanes as PTX lays them down: of 8 x 8 elements of 16 bits, lane
// l holds elements 2 (l % 4) and the one after it of row l / 4, in one word; of 16 x 16, four such
// words: rows 0 to 7 then 8 to 15 of the left half, then of the right one. Of a sum of 16 x 8
// floats it holds two neighbours of row l / 4, then of row l / 4 + 8.
//
// Source: PTX ISA, "Matrix fragments for mma.m16n8k16", "ldmatrix", "cp.async".
// NVRTC compiles this header, for compute capability 8.0 and up, and so do tests that run kernels
// on the host (SY_EMULATED). All lanes of a warp call what multiplies and what loads matrices.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_TENSOR_CORE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_TENSOR_CORE_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

#if defined(SY_EMULATED)
// What AsyncCopy16 was asked for and nobody has waited for, by thread; groups: closed so far.
struct PendingCopies {
  struct {
    void* to;
    const void* from;
    int group;
  } copies[64];
  int count, groups;
};
static PendingCopies pending_copies[1024];
// What each lane of the warp says, until one of them calls this again.
struct LaneParts {
  const void* row;
  unsigned a[4], b[2];
};
static LaneParts lane_parts[1024];
inline const LaneParts* ShowWarp(const LaneParts& mine) {
  lane_parts[threadIdx.x] = mine;
  __syncwarp();
  return lane_parts + threadIdx.x / 32 * 32;
}
#else
SY_FN unsigned SharedAddress(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
#endif

// Starts to copy 16 bytes, aligned, to shared memory, or to fill it with zeros: a member of the
// group that the thread closes next. Until the group is waited for, it is not there.
SY_FN void AsyncCopy16(void* shared, const void* from, bool zeros) {
#if defined(SY_EMULATED)
  PendingCopies& p = pending_copies[threadIdx.x];
  if (p.count == 64) __builtin_trap();
  p.copies[p.count++] = {shared, zeros ? nullptr : from, p.groups};
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(SharedAddress(shared)),
               "l"(from), "r"(zeros ? 0 : 16)
               : "memory");
#endif
}
SY_FN void CloseCopies() {
#if defined(SY_EMULATED)
  ++pending_copies[threadIdx.x].groups;
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits for the thread's own copies but for its last `kOpen` groups.
template <int kOpen>
SY_FN void AwaitCopies() {
#if defined(SY_EMULATED)
  PendingCopies& p = pending_copies[threadIdx.x];
  int kept = 0;
  for (int i = 0; i < p.count; ++i) {
    const auto copy = p.copies[i];
    const char zeros[16] = {};
    if (copy.group >= p.groups - kOpen) {
      p.copies[kept++] = copy;
    } else {
      memcpy(copy.to, copy.from == nullptr ? zeros : copy.from, 16);
    }
  }
  p.count = kept;
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(kOpen) : "memory");
#endif
}

// Four matrices of 8 x 8 from shared memory: lanes 8 i to 8 i + 7 say where the rows of matrix i
// begin, 16 bytes each, aligned. kTransposed: each transposed.
template <bool kTransposed>
SY_FN void LoadMatrices(unsigned (&to)[4], const void* row) {
#if defined(SY_EMULATED)
  const LaneParts* warp = ShowWarp({.row = row});
  const int lane = LaneOfWarp(), across = lane % 4 * 2, down = lane / 4;
  for (int i = 0; i < 4; ++i) {
    unsigned short pair[2];
    for (int k = 0; k < 2; ++k) {
      const int y = kTransposed ? across + k : down, x = kTransposed ? down : across + k;
      memcpy(&pair[k], static_cast<const unsigned short*>(warp[8 * i + y].row) + x, 2);
    }
    memcpy(&to[i], pair, 4);
  }
  __syncwarp();
#else
  if constexpr (kTransposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(SharedAddress(row))
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(SharedAddress(row))
                 : "memory");
  }
#endif
}

// Two numbers as neighbours in a matrix of T, Float16 or BFloat16.
template <class T>
SY_FN unsigned Neighbours(float first, float second) {
#if defined(SY_EMULATED)
  return FromFloat<T>(first).bits | static_cast<unsigned>(FromFloat<T>(second).bits) << 16;
#else
  unsigned r;
  if constexpr (kSameType<T, Float16>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(second), "f"(first));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(second), "f"(first));
  }
  return r;
#endif
}

// sum += a b, 16 x 16 by 16 x 8: b is given by columns, upper and lower half: what LoadMatrices has
// of the transposed matrix, or transposed of the matrix itself.
template <class T>
SY_FN void MultiplyAddMatrices(float (&sum)[4], const unsigned (&a)[4], unsigned upper,
                               unsigned lower) {
#if defined(SY_EMULATED)
  LaneParts mine = {.b = {upper, lower}};
  memcpy(mine.a, a, sizeof mine.a);
  const LaneParts* warp = ShowWarp(mine);
  const int lane = LaneOfWarp(), down = lane / 4, across = lane % 4 * 2;
  const auto element = [](unsigned word, int k) {
    return ToFloat(T{static_cast<unsigned short>(word >> 16 * (k % 2))});
  };
  for (int k = 0; k < 16; ++k) {
    const int other = k % 8 / 2, half = k / 8;
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 2; ++x)
        sum[2 * y + x] += element(warp[4 * down + other].a[2 * half + y], k) *
                          element(warp[4 * (across + x) + other].b[half], k);
    }
  }
  __syncwarp();
#else
  if constexpr (kSameType<T, Float16>) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
  } else {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
  }
#endif
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_TENSOR_CORE_H_
