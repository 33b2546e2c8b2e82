// Sums of products of 16-bit numbers that 8 bits held, exact in int32, for linear layers and
// convolutions.
//
//   const IntegerProduct p(weight, columns, terms, run, at);
//   p.Sum(lines, 0, columns, sums, columns);   // sums[r * ld + c]
//
// Weights are widened a part at a time, as many as the first-level cache holds beside the lines
// that they are multiplied with.
// Owns: nothing of the weight.
// Threads: any.
#ifndef BACKENDS_CPU_KERNELS_QUANTIZED_INTEGER_PRODUCT_H_
#define BACKENDS_CPU_KERNELS_QUANTIZED_INTEGER_PRODUCT_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "switchyard/backends/cpu/quantized/lanes.h"

namespace sy::cpu {

inline int64_t RoundUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

class IntegerProduct {
 public:
  // weight: [columns, terms] without gaps. A column's terms are runs of `run`, the last one maybe
  // shorter; `at`: where each begins in a line. Behind a line's runs up to Padded() elements are
  // read, whatever they are.
  IntegerProduct(const int8_t* weight, int64_t terms, int64_t run, std::vector<int64_t> at)
      : weight_(weight), terms_(terms), run_(run), at_(std::move(at)) {}
  // Of terms that lie side by side, in runs of a length that suits the caches.
  static IntegerProduct OfLines(const int8_t* weight, int64_t terms);
  // Elements of a run with those that are read behind it.
  int64_t padded() const { return RoundUp(run_, ActiveQuantizedTables().products.lanes); }
  // Of OfLines: elements from one line to the next. Lines a power of two apart would lie in the
  // same places of a cache.
  int64_t line() const { return static_cast<int64_t>(at_.size()) * padded() + kApart; }
  // sums[r * ld + c] of column + c, for c < columns.
  void Sum(std::span<const int16_t* const> lines, int64_t column, int64_t columns, int32_t* sums,
           int64_t ld) const;
  // How many lines of so many columns are worth a call: their sums stay in the second-level cache.
  static int64_t LinesAtOnce(int64_t columns);

 private:
  static constexpr int64_t kApart = 32;
  const int8_t* weight_;
  int64_t terms_, run_;
  std::vector<int64_t> at_;
};

}  // namespace sy::cpu

#endif  // BACKENDS_CPU_KERNELS_QUANTIZED_INTEGER_PRODUCT_H_
