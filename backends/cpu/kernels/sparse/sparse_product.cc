// Products of a sparse matrix, row by row: with a strided one as sums of its rows, with a sparse
// one by Gustavson's algorithm (ACM Transactions on Mathematical Software 4, 1978), and sampled
// ones.
#include <algorithm>
#include <memory>
#include <utility>

#include "backends/cpu/kernels/sparse/sparse_rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/sparse/product.h"

namespace sy::cpu {
namespace {

constexpr DTypeMask kNumbers = kIntegerTypes | kFloatingTypes | kComplexTypes;
constexpr int64_t kWork = 1 << 15;  // products worth a thread

// What a T is added up in: 16-bit floats in float, integers without a sign, which wrap.
template <class T>
struct Sums {
  using type = std::conditional_t<std::is_integral_v<T>,
                                  std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>, T>;
};
template <>
struct Sums<Half> {
  using type = float;
};
template <>
struct Sums<BFloat16> {
  using type = float;
};

// Elements of a vector of values.
template <class T>
class Values {
 public:
  explicit Values(const Tensor& t) : data_(t.data<T>()), stride_(t.strides()[0]) {}
  typename Sums<T>::type operator[](int64_t i) const {
    return static_cast<typename Sums<T>::type>(data_[i * stride_]);
  }

 private:
  const T* data_;
  int64_t stride_;
};

int64_t Grain(int64_t work, int64_t rows) {
  return std::max<int64_t>(1, kWork * rows / std::max<int64_t>(1, work));
}

template <class T>
Tensor WithStrided(const SparseRows& rows, const Tensor& sparse, const Tensor& dense) {
  using S = typename Sums<T>::type;
  const int64_t n = sparse.sizes()[0], m = dense.sizes()[1];
  const Tensor out = Tensor::Empty({n, m}, dense.dtype());
  const Values<T> values(FindSparse(sparse)->values);
  const T* b = dense.data<T>();
  const int64_t down = dense.strides()[0], right = dense.strides()[1];
  T* c = out.data<T>();
  const auto nnz = static_cast<int64_t>(rows.column.size());
  ParallelFor(n, Grain((nnz + n) * m, n), [&](int64_t first, int64_t last) {
    std::vector<S> sums(static_cast<size_t>(m));
    for (int64_t i = first; i < last; ++i) {
      std::fill(sums.begin(), sums.end(), S());
      S* s = sums.data();
      const auto row = static_cast<size_t>(i);
      for (int64_t j = rows.begin[row]; j < rows.begin[row + 1]; ++j) {
        const S v = values[rows.value[static_cast<size_t>(j)]];
        const T* from = b + rows.column[static_cast<size_t>(j)] * down;
        if (right == 1) {
          for (int64_t k = 0; k < m; ++k) s[k] += v * static_cast<S>(from[k]);
        } else {
          for (int64_t k = 0; k < m; ++k) s[k] += v * static_cast<S>(from[k * right]);
        }
      }
      for (int64_t k = 0; k < m; ++k) c[i * m + k] = static_cast<T>(s[k]);
    }
  });
  return out;
}

// Rows of a product of sparse matrices, of some rows of the first.
template <class T>
struct Piece {
  std::vector<int64_t> counts, columns;
  std::vector<T> values;
};

template <class T>
Piece<T> RowsOfProduct(const SparseRows& a, const Values<T>& x, const SparseRows& b,
                       const Values<T>& y, int64_t m, int64_t first, int64_t last) {
  using S = typename Sums<T>::type;
  Piece<T> piece;
  std::vector<S> sums(static_cast<size_t>(m));
  std::vector<int64_t> seen_in(static_cast<size_t>(m), -1), held;
  for (int64_t i = first; i < last; ++i) {
    held.clear();
    const auto row = static_cast<size_t>(i);
    for (int64_t j = a.begin[row]; j < a.begin[row + 1]; ++j) {
      const S v = x[a.value[static_cast<size_t>(j)]];
      const auto other = static_cast<size_t>(a.column[static_cast<size_t>(j)]);
      for (int64_t k = b.begin[other]; k < b.begin[other + 1]; ++k) {
        const auto at = static_cast<size_t>(b.column[static_cast<size_t>(k)]);
        if (seen_in[at] != i) {
          seen_in[at] = i;
          sums[at] = S();
          held.push_back(static_cast<int64_t>(at));
        }
        sums[at] += v * y[b.value[static_cast<size_t>(k)]];
      }
    }
    std::sort(held.begin(), held.end());
    piece.counts.push_back(static_cast<int64_t>(held.size()));
    for (const int64_t at : held) {
      piece.columns.push_back(at);
      piece.values.push_back(static_cast<T>(sums[static_cast<size_t>(at)]));
    }
  }
  return piece;
}

Tensor Vector(const std::vector<int64_t>& from, DType dtype) {
  const Tensor t = Tensor::Empty({static_cast<int64_t>(from.size())}, dtype);
  VisitDType<Mask(DType::kInt64, DType::kInt32)>(dtype, [&](auto tag) {
    std::copy(from.begin(), from.end(), t.data<typename decltype(tag)::type>());
  });
  return t;
}

// The product: COO where the first factor is, else CSR, with the dtype of its indices.
template <class T>
Tensor WithSparse(std::string_view op, const SparseRows& a, const Tensor& sparse,
                  const Tensor& other) {
  const SparseRows b(op, other);
  const int64_t n = sparse.sizes()[0], m = other.sizes()[1];
  const SparseState &s = *FindSparse(sparse), &o = *FindSparse(other);
  const Values<T> x(s.values), y(o.values);
  // Pieces of equal length, whoever computes them.
  const int64_t each = Grain((s.nnz() + 1) * (1 + o.nnz() / std::max<int64_t>(1, n)), n);
  const int64_t pieces = (n + each - 1) / each;
  std::vector<Piece<T>> all(static_cast<size_t>(pieces));
  ParallelFor(pieces, 1, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      all[static_cast<size_t>(p)] =
          RowsOfProduct(a, x, b, y, m, p * each, std::min(n, (p + 1) * each));
    }
  });
  std::vector<int64_t> begin{0}, columns, row_of;
  std::vector<T> values;
  for (const Piece<T>& p : all) {
    for (const int64_t count : p.counts) {
      row_of.insert(row_of.end(), static_cast<size_t>(count),
                    static_cast<int64_t>(begin.size()) - 1);
      begin.push_back(begin.back() + count);
    }
    columns.insert(columns.end(), p.columns.begin(), p.columns.end());
    values.insert(values.end(), p.values.begin(), p.values.end());
  }
  const int64_t sizes[] = {n, m};
  const Tensor held = Tensor::Empty({static_cast<int64_t>(values.size())}, sparse.dtype());
  std::copy(values.begin(), values.end(), held.data<T>());
  if (s.layout == Layout::kSparse) {
    const auto nnz = static_cast<int64_t>(values.size());
    const Tensor indices = Tensor::Empty({2, nnz}, DType::kInt64);
    std::copy(row_of.begin(), row_of.end(), indices.data<int64_t>());
    std::copy(columns.begin(), columns.end(), indices.data<int64_t>() + nnz);
    return MakeSparse(
        sizes, std::make_unique<SparseState>(Layout::kSparse, 2, 0, indices, Tensor(), held, true));
  }
  const DType index = s.indices.dtype();
  return MakeSparse(sizes,
                    std::make_unique<SparseState>(Layout::kSparseCsr, 2, 0, Vector(begin, index),
                                                  Vector(columns, index), held));
}

Tensor SparseMm(Call call, const Tensor& sparse, const Tensor& dense) {
  RequireProduct(call.op(), sparse, dense);
  if (sparse.is_strided()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the first matrix must be sparse, got ", Describe(sparse)});
  }
  const SparseRows rows(call.op(), sparse);
  return VisitDType<kNumbers>(sparse.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (dense.is_strided()) return WithStrided<T>(rows, sparse, dense);
    return WithSparse<T>(call.op(), rows, sparse, dense);
  });
}

const LayoutKernel kernel{"_sparse_mm", kCoo | kCsr | kCsc, SparseMm, "cpu"};

}  // namespace
}  // namespace sy::cpu
