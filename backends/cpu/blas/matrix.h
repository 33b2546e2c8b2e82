// A matrix somewhere in memory, with any strides: what products are computed of.
//
//   Matrix m = Matrix::Of(t);          // of a 2-d tensor
//   m.transposed().rows == m.columns;
//
// Owns: nothing.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_

#include "switchyard/core/tensor.h"

namespace sy::cpu {

struct Matrix {
  char* data;
  DType dtype;
  int64_t rows, columns;
  int64_t row_stride, column_stride;  // in elements

  static Matrix Of(const Tensor& t) {
    return {static_cast<char*>(t.data()),
            t.dtype(),
            t.sizes()[0],
            t.sizes()[1],
            t.strides()[0],
            t.strides()[1]};
  }
  // The i-th matrix of a 3-d tensor.
  static Matrix Of(const Tensor& t, int64_t i) {
    const int64_t offset = i * t.strides()[0] * static_cast<int64_t>(t.itemsize());
    return {static_cast<char*>(t.data()) + offset,
            t.dtype(),
            t.sizes()[1],
            t.sizes()[2],
            t.strides()[1],
            t.strides()[2]};
  }
  static Matrix RowMajor(void* data, DType dtype, int64_t rows, int64_t columns) {
    return {static_cast<char*>(data), dtype, rows, columns, columns, 1};
  }

  size_t item() const { return ItemSize(dtype); }
  int64_t numel() const { return rows * columns; }
  Matrix transposed() const { return {data, dtype, columns, rows, column_stride, row_stride}; }
  Matrix block(int64_t row, int64_t column, int64_t n_rows, int64_t n_columns) const {
    const int64_t offset = row * row_stride + column * column_stride;
    return {data + offset * static_cast<int64_t>(item()),
            dtype,
            n_rows,
            n_columns,
            row_stride,
            column_stride};
  }
  // Whether rows are contiguous and do not overlap: what BLAS calls row-major, any distance apart.
  bool by_rows() const {
    return (columns == 1 || column_stride == 1) && (rows == 1 || row_stride >= columns);
  }
  // Distance between rows as BLAS wants it.
  int64_t leading() const { return rows == 1 ? (columns > 0 ? columns : 1) : row_stride; }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_
