// How a matrix lies in memory, as far as libraries of matrix products care.
//
//   MatrixShape m{rows, columns, row_stride, column_stride};   // strides in elements
//   m.by_rows() || m.by_columns();                             // may be a factor without a copy
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_MATRIX_SHAPE_H_
#define SWITCHYARD_BACKENDS_COMMON_MATRIX_SHAPE_H_

#include <cstdint>

namespace sy {

struct MatrixShape {
  int64_t rows, columns;
  int64_t row_stride, column_stride;  // in elements

  int64_t numel() const { return rows * columns; }
  MatrixShape transposed() const { return {columns, rows, column_stride, row_stride}; }
  // Whether rows are contiguous and do not overlap: what BLAS calls row-major, any distance apart.
  bool by_rows() const {
    return (columns == 1 || column_stride == 1) && (rows == 1 || row_stride >= columns);
  }
  bool by_columns() const { return transposed().by_rows(); }
  // Of one by rows: elements from row to row, as BLAS wants it.
  int64_t leading() const { return rows == 1 ? (columns > 0 ? columns : 1) : row_stride; }
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_MATRIX_SHAPE_H_
