// A sparse matrix by its rows, of whatever layout it is: what products walk over.
//
//   const SparseRows rows(call.op(), sparse);
//   const Tensor values = rows.Values();
//   rows.at().ForEach(work, [&](int64_t first, int64_t last, const int64_t* columns) { … });
//
// Rows of CSR and BSR are read where they lie; those of other layouts are put together.
// Owns: what it is made of, and references on the tensors.
// Threads: any, while nobody writes to the indices.
// Errors: kIndexOutOfRange for positions out of range, naming the operator, columns of CSR and BSR
// when they are asked for; kInvalidArgument for parts whose sizes have changed.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "backends/cpu/kernels/sparse/compressed_indices.h"
#include "switchyard/core/sparse.h"

namespace sy::cpu {

class SparseRows {
 public:
  // t: a matrix on the host.
  SparseRows(std::string_view op, const Tensor& t) : SparseRows(op, t, RequireHeldSizes(op, t)) {}

  // Rows of elements; of BSR and BSC of blocks.
  const CompressedIndices& at() const { return at_; }
  BlockSizes blocks() const { return blocks_; }
  // By their place in the rows, one after the other, a block's row by row.
  Tensor Values() const;
  // The rows of the elements that blocks are made of.
  SparseRows Elements() const;

 private:
  // Elements by their places among the values; none where these lie in the order of rows.
  struct Grouped {
    CompressedIndices at;
    std::vector<int64_t> place;
  };
  static Grouped Read(std::string_view op, const SparseState& s, int64_t rows, int64_t columns);
  SparseRows(std::string_view op, const Tensor& t, BlockSizes blocks);
  static Grouped ByRow(const int64_t* row, std::vector<int64_t> column, int64_t rows);
  SparseRows(Grouped grouped, const Tensor& values, BlockSizes blocks);

  CompressedIndices at_;
  std::vector<int64_t> place_;
  Tensor values_;
  BlockSizes blocks_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_SPARSE_SPARSE_ROWS_H_
