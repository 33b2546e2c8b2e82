#include "backends/cpu/kernels/linalg/add_product.h"

#include <algorithm>
#include <optional>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/blas/blocks.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements of out worth a thread

// One row: to[j] = beta x[j] + alpha product[j].
struct Row {
  void* to;
  const void* x;
  const void* product;
  int64_t to_stride, x_stride, product_stride, n;
};

// T: of out and x, P: of the product, in which it is computed.
template <class T, class P>
void AddRow(const Row& r, const Scalar& beta_number, const Scalar& alpha_number) {
  T* to = static_cast<T*>(r.to);
  const T* x = static_cast<const T*>(r.x);
  const P* product = static_cast<const P*>(r.product);
  const P beta = beta_number.To<P>(), alpha = alpha_number.To<P>();
  if (beta_number.is_zero()) {
    for (int64_t j = 0; j < r.n; ++j)
      to[j * r.to_stride] = static_cast<T>(alpha * product[j * r.product_stride]);
  } else if (r.to_stride == 1 && r.x_stride == 1 && r.product_stride == 1) {
    for (int64_t j = 0; j < r.n; ++j)
      to[j] = static_cast<T>(beta * static_cast<P>(x[j]) + alpha * product[j]);
  } else {
    for (int64_t j = 0; j < r.n; ++j) {
      to[j * r.to_stride] = static_cast<T>(beta * static_cast<P>(x[j * r.x_stride]) +
                                           alpha * product[j * r.product_stride]);
    }
  }
}

using RowFn = void (*)(const Row&, const Scalar&, const Scalar&);

// Integers wrap around: without a sign, and 32 bits at least, for smaller ones grow to int.
RowFn RowOf(DType out, DType product) {
  switch (out) {
    case DType::kFloat16:
      return product == DType::kFloat32 ? AddRow<Half, float> : nullptr;
    case DType::kBFloat16:
      return product == DType::kFloat32 ? AddRow<BFloat16, float> : nullptr;
    case DType::kFloat32:
      return AddRow<float, float>;
    case DType::kFloat64:
      return AddRow<double, double>;
    case DType::kComplex64:
      return AddRow<std::complex<float>, std::complex<float>>;
    case DType::kComplex128:
      return AddRow<std::complex<double>, std::complex<double>>;
    case DType::kInt64:
      return AddRow<uint64_t, uint64_t>;
    case DType::kInt32:
      return AddRow<uint32_t, uint32_t>;
    default:
      return nullptr;
  }
}

Tensor Converted(const Matrix& m, DType dtype) {
  Tensor to = Tensor::Empty({m.rows, m.columns}, dtype);
  CopyMatrix(Matrix::Of(to), m);
  return to;
}

// The dtype in which all of it is computed.
DType ComputeDType(DType d) {
  if (Contains(kHalfTypes | kFloat8Types, d)) return DType::kFloat32;
  return IsIntegral(d, true) && d != DType::kInt64 ? DType::kInt32 : d;
}

void AddRows(const Matrix& out, const Matrix& x, const Matrix& product, const Scalar& beta,
             const Scalar& alpha) {
  const RowFn row = RowOf(out.dtype, product.dtype);
  // Along whichever dimension out lies densely.
  const bool turned = out.column_stride != 1 && out.row_stride == 1 && out.columns != 1;
  const Matrix to = turned ? out.transposed() : out, from = turned ? x.transposed() : x,
               p = turned ? product.transposed() : product;
  const auto at = [](const Matrix& m, int64_t i) {
    return m.data + i * m.row_stride * static_cast<int64_t>(m.item());
  };
  ParallelFor(to.rows, std::max<int64_t>(1, kGrain / to.columns), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      row({at(to, i), at(from, i), at(p, i), to.column_stride, from.column_stride, p.column_stride,
           to.columns},
          beta, alpha);
    }
  });
}

}  // namespace

void AddProduct(std::string_view op, const Matrix& out, const Matrix& x, const Matrix& a,
                const Matrix& b, const Scalar& beta, const Scalar& factor) {
  if (out.numel() == 0) return;
  const Scalar alpha = a.columns == 0 ? Scalar(0) : factor;  // infinity by no product is nothing
  if (out.dtype == DType::kBool && a.columns != 0) {
    FailBoolProduct(op);
  }
  const DType compute = ComputeDType(out.dtype);
  if (beta.is_zero() && alpha.is_one() && out.dtype != DType::kBool) return Product(op, out, a, b);
  // Small integers: in a wider type all the way, rounded off at the end, which wraps as well.
  const bool narrow = compute != out.dtype && compute == DType::kInt32;
  const bool native = IsNativeBFloat16(out, a);
  Tensor wide_a, wide_b;
  Matrix left = a, right = b;
  if (compute != out.dtype && !native) {
    wide_a = Converted(a, compute);
    wide_b = Converted(b, compute);
    left = Matrix::Of(wide_a);
    right = Matrix::Of(wide_b);
  }
  const bool into_out = compute == out.dtype && out.data != x.data;
  const Tensor beside = into_out ? Tensor() : Tensor::Empty({out.rows, out.columns}, compute);
  const Matrix product = into_out ? out : Matrix::Of(beside);
  if (native) {
    const Tensor rounded = Tensor::Empty({out.rows, out.columns}, out.dtype);
    Product(op, Matrix::Of(rounded), a, b);
    CopyElements(beside, rounded);
  } else {
    Product(op, product, left, right);
  }
  if (!narrow) return AddRows(out, x, product, beta, alpha);
  const Tensor wide_x = beta.is_zero() ? beside : Converted(x, compute);
  AddRows(product, Matrix::Of(wide_x), product, beta, alpha);
  CopyMatrix(out, Matrix::Of(beside));
}

Matrix BroadcastMatrix(const Tensor& t, int64_t rows, int64_t columns) {
  const auto stride = [&](int64_t from_last) {
    const int64_t d = t.dim() - 1 - from_last;
    return d < 0 || t.sizes()[d] == 1 ? 0 : t.strides()[d];
  };
  return {{rows, columns, stride(1), stride(0)}, static_cast<char*>(t.data()), t.dtype()};
}

Matrix BroadcastMatrix(const Tensor& t, int64_t i, int64_t rows, int64_t columns) {
  Matrix m = BroadcastMatrix(t, rows, columns);
  if (t.dim() == 3 && t.sizes()[0] != 1)
    m.data += i * t.strides()[0] * static_cast<int64_t>(t.itemsize());
  return m;
}

}  // namespace sy::cpu
