// A sparse matrix by its rows, of whatever layout it is: what loops of products walk over.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/core/sparse.h"

namespace sy::cpu {

// Row i holds columns column[j], and values at place value[j], for j from begin[i] to begin[i + 1].
// Columns are in the order in which they are held; the same may stand several times.
struct SparseRows {
  std::vector<int64_t> begin, column, value;

  // t: a matrix on the host, sparse_coo, sparse_csr or sparse_csc. Errors: kIndexOutOfRange for
  // positions out of range, naming op.
  SparseRows(std::string_view op, const Tensor& t);
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_
