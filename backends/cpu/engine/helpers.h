// Moving and converting elements, which all operators share, for each instruction set.
//
//   Active().convert[int(DType::kInt64)][int(DType::kFloat32)](p, n, false);
//
// Tables indexed by element size use SizeIndex(bytes): 1, 2, 4, 8, 16 → 0 … 4.
// Owns: nothing; tables are constants.
// Threads: any.
// Errors: none; a dtype that a helper lacks is a null pointer in its table.
#ifndef SWITCHYARD_BACKENDS_CPU_ENGINE_HELPERS_H_
#define SWITCHYARD_BACKENDS_CPU_ENGINE_HELPERS_H_

#include "switchyard/backends/cpu/engine/loop.h"

namespace sy::cpu {

// Of elements, in bytes: 1, 2, 4, 8, 16.
inline constexpr int kNumSizes = 5;
constexpr int SizeIndex(size_t bytes) { return __builtin_ctzll(bytes); }

// One table for each instruction set; pointers are to elements without gaps unless a stride says
// so, in bytes. n may be 0.
struct Helpers {
  // [from][to]; null where the way leads through other dtypes (engine/conversion.h).
  Loop convert[kNumDTypes][kNumDTypes];
  Loop copy[kNumSizes];
  // Whether one of n integers is 0.
  bool (*has_zero[kNumSizes])(const void* src, size_t n);
  // Whether all of n signed integers are least … least + count - 1; of 4 and 8 bytes. count: at
  // most 2^63.
  bool (*all_in_range[kNumSizes])(const void* src, size_t n, int64_t least, uint64_t count);
  // n elements of dst become *value.
  void (*fill[kNumSizes])(void* dst, const void* value, size_t n, bool stream);
  // dst[i] = element at src + i * stride (bytes), and back.
  void (*gather[kNumSizes])(void* dst, const void* src, ptrdiff_t stride, size_t n);
  void (*scatter[kNumSizes])(void* dst, ptrdiff_t stride, const void* src, size_t n);
  // dst[i] = src[n - 1 - i].
  void (*reverse[kNumSizes])(void* dst, const void* src, size_t n);
  // dst: [columns, rows], src: [rows, columns]; each contiguous inside, *_stride bytes apart
  // outside.
  void (*transpose[kNumSizes])(void* dst, ptrdiff_t dst_stride, const void* src,
                               ptrdiff_t src_stride, size_t rows, size_t columns);
};

SY_IN_EACH_ISA(extern const Helpers helpers)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_ENGINE_HELPERS_H_
