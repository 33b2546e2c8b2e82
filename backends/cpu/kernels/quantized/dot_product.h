// Sums of products of 8-bit integers by instructions that sum four at once (quantized/dot.h), exact
// in int32, for linear layers and convolutions.
//
//   if (const DotLoops* dots = ActiveDotLoops()) {
//     const DotProduct p(*dots, weight, columns, terms, run, at);
//     const Array<int32_t> starts = p.StartsFor(DotZero<T>(zero));
//     p.Sum(lines, starts, 0, columns, sums, columns);   // sums[r * columns + c]
//   }
//
// Owns: the weight, packed.
// Threads: any.
#ifndef BACKENDS_CPU_KERNELS_QUANTIZED_DOT_PRODUCT_H_
#define BACKENDS_CPU_KERNELS_QUANTIZED_DOT_PRODUCT_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "switchyard/backends/cpu/quantized/dot.h"
#include "switchyard/backends/cpu/simd/array.h"

namespace sy::cpu {

// Lines are of uint8: what stands for a zero point of T, and for n integers of T.
template <class T>
int32_t DotZero(int64_t zero) {
  return static_cast<int32_t>(zero) + (std::is_signed_v<T> ? 128 : 0);
}
inline void CopyForDots(const DotLoops&, uint8_t* to, const uint8_t* from, int64_t n) {
  if (n != 0) std::memcpy(to, from, static_cast<size_t>(n));
}
inline void CopyForDots(const DotLoops& dots, uint8_t* to, const int8_t* from, int64_t n) {
  dots.flip(to, from, n);
}

class DotProduct {
 public:
  // Columns of sums may be asked for in multiples of this.
  static constexpr int64_t kColumns = 4 * DotLoops::kColumns;

  // weight: [columns, terms] without gaps, its terms in runs of `run`, the last one maybe shorter;
  // `at`: where each begins in a line. Up to 3 elements behind a run are read, whatever they are.
  DotProduct(const DotLoops& dots, const int8_t* weight, int64_t columns, int64_t terms,
             int64_t run, std::vector<int64_t> at);
  // Of terms that lie side by side.
  static DotProduct OfLines(const DotLoops& dots, const int8_t* weight, int64_t columns,
                            int64_t terms);
  // What sums begin with that a zero point of the lines takes away.
  Array<int32_t> StartsFor(int32_t zero) const;
  // sums[r * ld + c] of column + c, for c < columns. column: a multiple of kColumns.
  void Sum(std::span<const uint8_t* const> lines, const Array<int32_t>& starts, int64_t column,
           int64_t columns, int32_t* sums, int64_t ld) const;

 private:
  const DotLoops& dots_;
  std::vector<int64_t> at_;
  int64_t run_, fours_, block_bytes_;
  Array<int8_t> packed_;
  Array<int32_t> sums_;  // of columns
};

}  // namespace sy::cpu

#endif  // BACKENDS_CPU_KERNELS_QUANTIZED_DOT_PRODUCT_H_
