// Products of a sparse matrix, row by row: with a strided one as sums of its rows, with a sparse
// one by Gustavson's algorithm (ACM Transactions on Mathematical Software 4, 1978).
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "backends/cpu/kernels/sparse/sparse_rows.h"
#include "backends/cpu/kernels/sparse/sums.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/sparse/row_sums.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/sparse/product.h"

namespace sy::cpu {
namespace {

const RowSumLoops& ActiveRowSums() {
  static constexpr const RowSumLoops* kLoops[kNumIsas] = SY_OF_EACH_ISA(row_sums);
  return *kLoops[ActiveIsa()];
}

// Rows of blocks times a strided matrix, in plain loops. right: from one column of it to the next.
template <class T>
void AddUpRows(const RowSums<T>& s, int64_t right, int64_t first, int64_t last) {
  using S = SumOf<T>;
  const int64_t* const columns = s.columns - s.begin[first];
  std::vector<S> sums(static_cast<size_t>(s.to_columns));
  for (int64_t at = first * s.height; at < last * s.height; ++at) {
    const int64_t i = at / s.height, row = at % s.height;
    std::fill(sums.begin(), sums.end(), S());
    for (int64_t j = s.begin[i]; j < s.begin[i + 1]; ++j) {
      const T* value = s.values + (j * s.height + row) * s.width;
      const T* from = s.from + columns[j] * s.width * s.down;
      for (int64_t t = 0; t < s.width; ++t, from += s.down) {
        const auto v = static_cast<S>(value[t]);
        for (int64_t k = 0; k < s.to_columns; ++k)
          sums[static_cast<size_t>(k)] += v * static_cast<S>(from[k * right]);
      }
    }
    std::transform(sums.begin(), sums.end(), s.to + at * s.to_columns,
                   [](S sum) { return static_cast<T>(sum); });
  }
}

template <class T>
Tensor WithStrided(const SparseRows& rows, const Tensor& dense) {
  const int64_t block_rows = rows.blocks().rows, block_columns = rows.blocks().columns;
  const int64_t n = rows.at().size() * block_rows, m = dense.sizes()[1];
  const Tensor out = Tensor::Empty({n, m}, dense.dtype()), values = rows.Values();
  const int64_t right = m == 1 ? 1 : dense.strides()[1];
  const int64_t each = m * block_rows * block_columns;
  rows.at().ForEach(each, [&](int64_t first, int64_t last, const int64_t* columns) {
    const RowSums<T> sums{rows.at().begin(),  columns,       values.data<T>(),
                          block_rows,         block_columns, dense.data<T>(),
                          dense.strides()[0], out.data<T>(), m};
    if constexpr (std::is_same_v<T, float>) {
      if (right == 1) return ActiveRowSums().of_float(sums, first, last);
    } else if constexpr (std::is_same_v<T, double>) {
      if (right == 1) return ActiveRowSums().of_double(sums, first, last);
    }
    AddUpRows(sums, right, first, last);
  });
  return out;
}

// Rows of elements times a vector, which has no gaps: four sums a row, which do not wait for one
// another.
template <class T>
Tensor WithVector(const SparseRows& rows, const Tensor& vector) {
  using S = SumOf<T>;
  const Tensor out = Tensor::Empty({rows.at().size(), 1}, vector.dtype()), values = rows.Values();
  const auto *value = values.data<T>(), *x = vector.data<T>();
  const int64_t* begin = rows.at().begin();
  auto* y = out.data<T>();
  rows.at().ForEach(1, [&](int64_t first, int64_t last, const int64_t* columns) {
    const int64_t* const column = columns - begin[first];
    const auto product = [&](int64_t k) {
      return static_cast<S>(value[k]) * static_cast<S>(x[column[k]]);
    };
    for (int64_t i = first; i < last; ++i) {
      const int64_t end = begin[i + 1];
      int64_t j = begin[i];
      S sums[4] = {};
      for (; j + 4 <= end; j += 4) {
        for (int64_t k = 0; k < 4; ++k) sums[k] += product(j + k);
      }
      for (; j < end; ++j) sums[0] += product(j);
      y[i] = static_cast<T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
  });
  return out;
}

// A matrix of elements: positions, which are right, and values.
struct Factor {
  explicit Factor(SparseRows of)
      : rows(std::move(of)),
        values(rows.Values()),
        begin(rows.at().begin()),
        column(rows.at().Plain(0, rows.at().size(), room)) {}
  static Factor Of(std::string_view op, const Tensor& t) {
    SparseRows rows(op, t);
    if (!HasBlocks(FindSparse(t)->layout)) return Factor(std::move(rows));
    return Factor(rows.Elements());
  }

  SparseRows rows;
  Tensor values;
  std::vector<int64_t> room;
  const int64_t *begin, *column;
};

// f(place in a, place in b, column) for each product of row i.
template <class F>
SY_INLINE void ForProducts(const Factor& a, const Factor& b, int64_t i, F&& f) {
  for (int64_t j = a.begin[i]; j < a.begin[i + 1]; ++j) {
    const int64_t row = a.column[j], end = b.begin[row + 1];
    for (int64_t k = b.begin[row]; k < end; ++k) f(j, k, b.column[k]);
  }
}

// Where rows of the product begin: how many columns the products of each fall on. work: how many
// products there are before each row.
std::vector<int64_t> BeginsOfProduct(const Factor& a, const Factor& b, int64_t m,
                                     const std::vector<int64_t>& work) {
  std::vector<int64_t> begin(work.size());
  ForRows(work.data(), a.rows.at().size(), 1, [&](int64_t first, int64_t last) {
    std::vector<int64_t> seen_in(static_cast<size_t>(m), -1);
    for (int64_t i = first; i < last; ++i) {
      int64_t count = 0;
      ForProducts(a, b, i, [&](int64_t, int64_t, int64_t column) {
        int64_t& seen = seen_in[static_cast<size_t>(column)];
        count += static_cast<int64_t>(seen != i);
        seen = i;
      });
      begin[static_cast<size_t>(i) + 1] = count;
    }
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  return begin;
}

// The columns of the product, rising in each row, and the values.
template <class T>
void FillProduct(const Factor& a, const Factor& b, int64_t m, const std::vector<int64_t>& work,
                 const std::vector<int64_t>& begin, int64_t* columns, T* values) {
  using S = SumOf<T>;
  constexpr int64_t kSorting = 16;  // sorting a column costs as much as looking at so many
  const auto *x = a.values.data<T>(), *y = b.values.data<T>();
  ForRows(work.data(), a.rows.at().size(), 1, [&](int64_t first, int64_t last) {
    std::vector<S> sums(static_cast<size_t>(m));  // 0 between rows
    std::vector<int64_t> seen_in(static_cast<size_t>(m), -1);
    S* const sum = sums.data();
    int64_t* const seen = seen_in.data();
    for (int64_t i = first; i < last; ++i) {
      int64_t at = begin[static_cast<size_t>(i)];
      const int64_t end = begin[static_cast<size_t>(i) + 1], count = end - at;
      const auto add = [&](int64_t j, int64_t k, int64_t column) {
        sum[column] += static_cast<S>(x[j]) * static_cast<S>(y[k]);
      };
      if (count < m / kSorting) {
        int64_t held = at;
        ForProducts(a, b, i, [&](int64_t j, int64_t k, int64_t column) {
          if (seen[column] != i) columns[held++] = column;
          seen[column] = i;
          add(j, k, column);
        });
        std::sort(columns + at, columns + end);
        for (; at < end; ++at) values[at] = static_cast<T>(std::exchange(sum[columns[at]], S()));
        continue;
      }
      ForProducts(a, b, i, [&](int64_t j, int64_t k, int64_t column) {
        seen[column] = i;
        add(j, k, column);
      });
      for (int64_t column = 0; at < end; ++column) {
        columns[at] = column;
        values[at] = static_cast<T>(std::exchange(sum[column], S()));
        at += static_cast<int64_t>(seen[column] == i);
      }
    }
  });
}

// The product: COO where the first factor is, else CSR, with the dtype of its indices.
template <class T>
Tensor WithSparse(std::string_view op, const Tensor& sparse, const Tensor& other) {
  const Factor a = Factor::Of(op, sparse), b = Factor::Of(op, other);
  const int64_t n = sparse.sizes()[0], m = other.sizes()[1];
  std::vector<int64_t> work(static_cast<size_t>(n) + 1);
  for (int64_t i = 0; i < n; ++i) {
    int64_t products = work[static_cast<size_t>(i)];
    for (int64_t j = a.begin[i]; j < a.begin[i + 1]; ++j)
      products += b.begin[a.column[j] + 1] - b.begin[a.column[j]];
    work[static_cast<size_t>(i) + 1] = products;
  }
  const std::vector<int64_t> begin = BeginsOfProduct(a, b, m, work);
  const int64_t nnz = begin.back(), sizes[] = {n, m};
  const Tensor values = Tensor::Empty({nnz}, sparse.dtype());
  const SparseState& s = *FindSparse(sparse);
  if (s.layout == Layout::kSparse) {
    const Tensor indices = Tensor::Empty({2, nnz}, DType::kInt64);
    auto* row = indices.data<int64_t>();
    FillProduct<T>(a, b, m, work, begin, row + nnz, values.data<T>());
    for (int64_t i = 0; i < n; ++i)
      std::fill(row + begin[static_cast<size_t>(i)], row + begin[static_cast<size_t>(i) + 1], i);
    return MakeSparse(sizes, std::make_unique<SparseState>(Layout::kSparse, 2, 0, indices, Tensor(),
                                                           values, true));
  }
  const Tensor compressed = Tensor::Empty({n + 1}, DType::kInt64),
               columns = Tensor::Empty({nnz}, DType::kInt64);
  std::copy(begin.begin(), begin.end(), compressed.data<int64_t>());
  FillProduct<T>(a, b, m, work, begin, columns.data<int64_t>(), values.data<T>());
  const DType index = s.indices.dtype();
  return MakeSparse(
      sizes, std::make_unique<SparseState>(Layout::kSparseCsr, 2, 0, Dense(compressed, index),
                                           Dense(columns, index), values));
}

Tensor SparseMm(Call call, const Tensor& sparse, const Tensor& dense) {
  RequireProduct(call.op(), sparse, dense);
  if (sparse.is_strided()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the first matrix must be sparse, got ", Describe(sparse)});
  }
  return VisitDType<kNumbers>(sparse.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (!dense.is_strided()) return WithSparse<T>(call.op(), sparse, dense);
    const SparseRows rows(call.op(), sparse);
    if (dense.sizes()[1] == 1 && !HasBlocks(FindSparse(sparse)->layout))
      return WithVector<T>(rows, Contiguous(dense));
    return WithStrided<T>(rows, dense);
  });
}

const LayoutKernel kernel{"_sparse_mm", kAnySparse, SparseMm, "cpu"};

}  // namespace
}  // namespace sy::cpu
