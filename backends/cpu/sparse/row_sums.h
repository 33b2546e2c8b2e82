// Sums of a strided matrix's rows, which rows of a sparse matrix choose and weigh: products of the
// two.
//
//   isa::row_sums.of_float(sums, first, last);    rows first … last - 1 of blocks
//
// A number of the result is added up in the order in which its row holds elements, each product
// rounded: the same bits on every instruction set. Compiled once for each (row_sums_lanes.cc).
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_SPARSE_ROW_SUMS_H_
#define SWITCHYARD_BACKENDS_CPU_SPARSE_ROW_SUMS_H_

#include <stdint.h>

#include "switchyard/backends/cpu/simd/isas.h"

namespace sy::cpu {

// Row i of blocks holds those from begin[i] to begin[i + 1]; elements are blocks of 1 x 1.
template <class T>
struct RowSums {
  const int64_t* begin;
  const int64_t* columns;  // of blocks; the first is that of begin[first]
  const T* values;         // [blocks, height, width]
  int64_t height, width;
  const T* from;       // the strided matrix: columns lie side by side
  int64_t down;        // from one row to the next
  T* to;               // [rows * height, to_columns]
  int64_t to_columns;  // of both
};

struct RowSumLoops {
  void (*of_float)(const RowSums<float>& s, int64_t first, int64_t last);
  void (*of_double)(const RowSums<double>& s, int64_t first, int64_t last);
};
SY_IN_EACH_ISA(extern const RowSumLoops row_sums)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_SPARSE_ROW_SUMS_H_
