// Products of 8-bit integers as they are, on processors that sum four of them at once (VNNI): exact
// in int32, as those of lanes.h are, which take them widened to 16 bits.
//
//   const DotLoops* dots = ActiveDotLoops();   null: this processor has none
//   dots->pack(to, sums_of_columns, weight, columns, terms, runs);
//   dots->products(sums, ld, lines, rows, packed, …);
//
// Lines are of uint8; those of int8 are made so by adding 128, which their zero point takes away.
// Owns: nothing; tables are constants.
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_QUANTIZED_DOT_H_
#define SWITCHYARD_BACKENDS_CPU_QUANTIZED_DOT_H_

#include <stdint.h>

#include "switchyard/backends/cpu/engine/isa.h"

namespace sy::cpu {

// Where the numbers of a sum of products lie: `count` runs of `length` each, of which the last may
// be shorter in a weight. In a line they begin `at` elements from where it begins, and are read in
// fours: up to 3 elements behind a run, whatever they are.
struct DotRuns {
  const int64_t* at;
  int64_t count, length;

  int64_t fours() const { return (length + 3) / 4; }
};

struct DotLoops {
  // Columns that are packed beside each other: a block is [runs, fours, kColumns, 4].
  static constexpr int64_t kColumns = 16;
  // Up to so many rows `few` is faster than packing.
  static constexpr int64_t kFewRows = 12;

  // A block of up to kColumns columns of weight [columns, terms], zeros behind them, and the sums
  // of kColumns of them.
  void (*pack)(int8_t* to, int32_t* sums, const int8_t* weight, int64_t columns, int64_t terms,
               const DotRuns& runs);
  // sums[r * ld + c] = start[c] + the sum of a[r] times column c; without a start: that more.
  // packed: blocks, block_bytes apart; of each those runs are taken. start: in whole blocks.
  void (*products)(int32_t* sums, int64_t ld, const uint8_t* const* a, int64_t rows,
                   const int8_t* packed, int64_t block_bytes, int64_t columns, const DotRuns& runs,
                   const int32_t* start);
  // sums[r * ld + c] = the sum of (a[r * terms + i] - zero) * weight[c * terms + i], of a weight
  // that is not packed.
  void (*few)(int32_t* sums, int64_t ld, const uint8_t* a, int64_t rows, const int8_t* weight,
              int64_t columns, int64_t terms, int32_t zero);
  // to[i] = from[i] + 128
  void (*flip)(uint8_t* to, const int8_t* from, int64_t n);
};
SY_IN_EACH_ISA(extern const DotLoops dot)

namespace internal {
inline bool allow_dots = true;  // false in tests of what other processors compute
}

inline const DotLoops* ActiveDotLoops() {
#if defined(__x86_64__)
  static constexpr const DotLoops* kTables[kNumIsas] = SY_OF_EACH_ISA(dot);
  static const bool has = __builtin_cpu_supports("avx512vnni");
  const DotLoops* const loops = kTables[ActiveIsa()];
  if (has && internal::allow_dots && loops->products != nullptr) return loops;
#endif
  return nullptr;
}

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_QUANTIZED_DOT_H_
