// A matrix somewhere in memory, with any strides: what products are computed of.
//
//   Matrix m = Matrix::Of(t);          // of a 2-d tensor
//   m.transposed().rows == m.columns;
//
// Owns: nothing.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_

#include "switchyard/backends/common/matrix_shape.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

struct Matrix : MatrixShape {
  char* data;
  DType dtype;

  static Matrix Of(const Tensor& t) {
    return {{t.sizes()[0], t.sizes()[1], t.strides()[0], t.strides()[1]},
            static_cast<char*>(t.data()),
            t.dtype()};
  }
  // The i-th matrix of a 3-d tensor.
  static Matrix Of(const Tensor& t, int64_t i) {
    const int64_t offset = i * t.strides()[0] * static_cast<int64_t>(t.itemsize());
    return {{t.sizes()[1], t.sizes()[2], t.strides()[1], t.strides()[2]},
            static_cast<char*>(t.data()) + offset,
            t.dtype()};
  }
  static Matrix RowMajor(void* data, DType dtype, int64_t rows, int64_t columns) {
    return {{rows, columns, columns, 1}, static_cast<char*>(data), dtype};
  }

  size_t item() const { return ItemSize(dtype); }
  Matrix transposed() const { return {MatrixShape::transposed(), data, dtype}; }
  Matrix block(int64_t row, int64_t column, int64_t n_rows, int64_t n_columns) const {
    const int64_t offset = row * row_stride + column * column_stride;
    return {{n_rows, n_columns, row_stride, column_stride},
            data + offset * static_cast<int64_t>(item()),
            dtype};
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_MATRIX_H_
