#include "switchyard/backends/cpu/blas/product.h"

#include <climits>
#include <cstring>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/blas/blocks.h"
#include "switchyard/backends/cpu/blas/plain.h"
#include "switchyard/backends/cpu/engine/copy.h"

namespace sy::cpu {
namespace {

void SetZero(const Matrix& m) {
  const size_t item = m.item();
  for (int64_t i = 0; i < m.rows; ++i) {
    char* row = m.data + i * m.row_stride * static_cast<int64_t>(item);
    if (m.by_rows()) {
      std::memset(row, 0, static_cast<size_t>(m.columns) * item);
    } else {
      for (int64_t j = 0; j < m.columns; ++j)
        std::memset(row + j * m.column_stride * static_cast<int64_t>(item), 0, item);
    }
  }
}

// A row-major matrix of its own, as wide as asked.
class Buffer {
 public:
  Buffer(const Matrix& like, DType dtype)
      : memory_(Tensor::Empty({like.numel()}, dtype)),
        matrix_(Matrix::RowMajor(memory_.data(), dtype, like.rows, like.columns)) {}
  const Matrix& matrix() const { return matrix_; }
  const Matrix& Fill(const Matrix& from) {
    CopyMatrix(matrix_, from);
    return matrix_;
  }

 private:
  Tensor memory_;
  Matrix matrix_;
};

bool Usable(const Matrix& m) { return m.by_rows() || m.by_columns(); }

bool FitsInt(const Matrix& m) {
  return m.rows <= INT_MAX && m.columns <= INT_MAX && m.row_stride <= INT_MAX &&
         m.column_stride <= INT_MAX;
}

// a and b: usable; out: by rows, or one column of any stride.
void Compute(const Matrix& out, const Matrix& a, const Matrix& b) {
  const bool has_library = Contains(kLibraryTypes | Bit(DType::kBFloat16), out.dtype) &&
                           FitsInt(out) && FitsInt(a) && FitsInt(b) && HasLibrary();
  if (has_library) {
    LibraryProduct(out, a, b);
  } else {
    PlainProduct(out, a, b);
  }
}

// Makes operands usable.
void Pack(const Matrix& out, const Matrix& a, const Matrix& b) {
  if (!Usable(a)) return Pack(out, Buffer(a, a.dtype).Fill(a), b);
  // As a vector, b may have any distance between its elements.
  const bool vector = b.columns == 1 && b.row_stride > 0;
  if (!vector && !Usable(b)) return Compute(out, a, Buffer(b, b.dtype).Fill(b));
  Compute(out, a, b);
}

// Through float32.
void Widened(const Matrix& out, const Matrix& a, const Matrix& b) {
  Buffer wide_out(out, DType::kFloat32), wide_a(a, DType::kFloat32), wide_b(b, DType::kFloat32);
  Compute(wide_out.matrix(), wide_a.Fill(a), wide_b.Fill(b));
  CopyMatrix(out, wide_out.matrix());
}

}  // namespace

void CopyMatrix(const Matrix& to, const Matrix& from) {
  const int64_t sizes[] = {to.rows, to.columns};
  IndexSpace it(sizes);
  for (const Matrix* m : {&to, &from}) {
    const int64_t item = static_cast<int64_t>(m->item());
    IndexSpace::Operand& o = it.Next(m->data, item, m->dtype);
    o.strides[0] = m->columns == 1 ? 0 : m->column_stride * item;
    o.strides[1] = m->rows == 1 ? 0 : m->row_stride * item;
  }
  CopyElements(it);
}

void Product(std::string_view op, const Matrix& out, const Matrix& a, const Matrix& b) {
  if (out.numel() == 0) return;
  if (a.columns == 0) return SetZero(out);
  if (out.dtype == DType::kBool) {
    FailBoolProduct(op);
  }
  const bool native = IsNativeBFloat16(out, a) && FitsInt(out) && FitsInt(a) && FitsInt(b);
  if (Contains(kHalfTypes | kFloat8Types, out.dtype) && !native) return Widened(out, a, b);
  if (out.columns == 1 || (out.rows > 1 && out.by_rows())) return Pack(out, a, b);
  if (out.rows == 1 || out.by_columns())
    return Pack(out.transposed(), b.transposed(), a.transposed());
  Buffer beside(out, out.dtype);
  Pack(beside.matrix(), a, b);
  CopyMatrix(out, beside.matrix());
}

}  // namespace sy::cpu
